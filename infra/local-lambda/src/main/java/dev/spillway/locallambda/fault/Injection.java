package dev.spillway.locallambda.fault;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/** What goes wrong at present. It may change at any time, for invocations from then on. */
public final class Injection implements AutoCloseable {
  private static final Effect NONE = new Effect.None();

  private final AtomicReference<Optional<Fault>> present = new AtomicReference<>(Optional.empty());
  private final Consumer<String> log;
  private final IntUnaryOperator below;
  private volatile boolean closed;

  public Injection(Consumer<String> log) {
    this(log, bound -> ThreadLocalRandom.current().nextInt(bound));
  }

  /**
   * @param below a thread-safe source of uniform ints in {@code [0, bound)}
   */
  Injection(Consumer<String> log, IntUnaryOperator below) {
    this.log = log;
    this.below = below;
  }

  public Optional<Fault> present() {
    return present.get();
  }

  /**
   * From now on that, or nothing, goes wrong.
   *
   * @throws IllegalArgumentException for a fault that this machine cannot have
   */
  public void set(Optional<Fault> fault) {
    fault.ifPresent(Fault::checkAvailable);
    if (!present.getAndSet(fault).equals(fault)) {
      log.accept(fault.map(now -> "fault: " + now.label()).orElse("fault: none any more"));
    }
  }

  /** What one invocation meets. */
  public Effect draw() {
    if (present().isEmpty()) {
      return NONE;
    }
    Fault fault = present().get();
    List<Fault> mixture = fault.mixture();
    if (mixture.isEmpty()) {
      return fault.effect();
    }
    return below.applyAsInt(2) == 0 ? NONE : mixture.get(below.applyAsInt(mixture.size())).effect();
  }

  /** The time here, right or wrong. */
  public Clock clock() {
    return present().map(Fault::effect).orElse(NONE) instanceof Effect.OffClock(var by)
        ? Clock.offset(Clock.systemUTC(), by)
        : Clock.systemUTC();
  }

  boolean closed() {
    return closed;
  }

  /** Releases the callers that are kept waiting. */
  @Override
  public void close() {
    closed = true;
  }
}
