package dev.spillway.auth.gate;

import java.util.concurrent.atomic.AtomicBoolean;

/** What came of asking the {@link Gate} for a place. */
public sealed interface Entry {
  Entry FULL = new Refused(Refused.Reason.FULL);
  Entry SHARE_USED = new Refused(Refused.Reason.SHARE_USED);

  /** A login's place inside; given back once, by whichever end of the login is noticed first. */
  final class Place implements Entry, AutoCloseable {
    private final Gate gate;
    private final String network;
    private final long sinceNanos;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile boolean hashed;

    Place(Gate gate, String network, long sinceNanos) {
      this.gate = gate;
      this.network = network;
      this.sinceNanos = sinceNanos;
    }

    /** The login cost a hash. */
    public void hashed() {
      hashed = true;
    }

    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        gate.leave(this, hashed);
      }
    }

    String network() {
      return network;
    }

    long sinceNanos() {
      return sinceNanos;
    }
  }

  /** No place. */
  record Refused(Reason reason) implements Entry {
    enum Reason {
      /** Every place is taken. */
      FULL,
      /** The network has as many places as it may while others come. */
      SHARE_USED
    }
  }
}
