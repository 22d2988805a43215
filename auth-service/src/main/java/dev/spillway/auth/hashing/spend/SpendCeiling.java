package dev.spillway.auth.hashing.spend;

import dev.spillway.auth.database.DatabaseUnavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Decides whether a hash may be spilled: spilling is a privilege, and the nearer a ceiling is the
 * better one must be known to have it.
 */
public final class SpendCeiling {
  /*
   * Invariants, each pinned by the test that carries its number in SpendCeilingTest:
   *
   *   M1  Whoever is suspect never spills.
   *   M2  From `near` on only those without wrong guesses do, and from half way to the ceiling on
   *       only those at home.
   *   M3  At a ceiling nobody does.
   *   M4  Money counts for all instances together, and is not forgotten when one starts again.
   *
   * Minutes are counted here, hash by hash. Money is known when a call has ended: once a second,
   * settle() takes what the calls since the last time have cost to the ledger and brings back what
   * all instances have spent. So a ceiling can be exceeded by what is spent in about two seconds.
   */
  private static final long MINUTE_MILLIS = Duration.ofMinutes(1).toMillis();

  private final SpendConfig config;
  private final Ledger ledger;
  private final Supplier<Calls> measured;
  private final SpendMeters meters;
  private final InstantSource clock;
  private final Price price;
  private final long hourNanos;
  private final long dayNanos;

  private final AtomicLong minute = new AtomicLong();
  private final AtomicLong inMinute = new AtomicLong();
  private volatile Books books = Books.EMPTY;

  /** What is in the ledger already; guarded by this. */
  private Calls settled = Calls.NONE;

  /**
   * @param measured all calls since the start
   */
  SpendCeiling(
      SpendConfig config,
      Ledger ledger,
      Supplier<Calls> measured,
      SpendMeters meters,
      InstantSource clock) {
    this.config = config;
    this.ledger = ledger;
    this.measured = measured;
    this.meters = meters;
    this.clock = clock;
    this.price = Price.of(config);
    this.hourNanos = Price.nanos(config.perHour());
    this.dayNanos = Price.nanos(config.perDay());
    meters.observe(this);
  }

  /** Whether this hash may be spilled; if so it counts. */
  public Purchase ask(Customer customer) {
    Purchase purchase = decide(customer);
    if (purchase instanceof Purchase.Allowed && inMinute.incrementAndGet() > config.perMinute()) {
      // Others who were allowed at the same moment have had the last ones.
      inMinute.decrementAndGet();
      purchase = new Purchase.Refused(Purchase.Reason.MINUTE);
    }
    if (purchase instanceof Purchase.Refused(Purchase.Reason reason)) {
      meters.refused(reason);
    }
    return purchase;
  }

  /** Takes to the ledger what calls have cost since the last time; a failing database can wait. */
  synchronized void settle() {
    Calls now = measured.get();
    Calls since = now.since(settled);
    try {
      books = ledger.add(price.of(since), since.count());
      settled = now;
    } catch (DatabaseUnavailable e) {
      // What is not in the ledger yet still counts here, see unsettled().
    }
  }

  /** Stops all spilling in all instances, or ends that; here at once, elsewhere in a second. */
  public void open(boolean open) {
    ledger.open(open);
    settle();
  }

  /** What is known now. */
  public SpendReport report() {
    long unsettled = unsettled();
    Books known = books;
    return new SpendReport(
        config.enabled() && known.open(),
        money(known.spentInHour() + unsettled),
        config.perHour().doubleValue(),
        money(known.spentInDay() + unsettled),
        config.perDay().doubleValue(),
        spilledThisMinute(),
        config.perMinute());
  }

  private Purchase decide(Customer customer) {
    Books known = books;
    if (!config.enabled() || !known.open()) {
      return new Purchase.Refused(Purchase.Reason.STOPPED);
    }
    double ofMinute = (double) spilledThisMinute() / config.perMinute();
    double ofHour = (double) known.spentInHour() / hourNanos;
    double ofDay = (double) known.spentInDay() / dayNanos;
    if (ofMinute >= 1) {
      return new Purchase.Refused(Purchase.Reason.MINUTE);
    }
    if (ofHour >= 1) {
      return new Purchase.Refused(Purchase.Reason.HOUR);
    }
    if (ofDay >= 1) {
      return new Purchase.Refused(Purchase.Reason.DAY);
    }
    double share = Math.max(ofMinute, Math.max(ofHour, ofDay));
    return switch (customer.standing()) {
      case AT_HOME -> new Purchase.Allowed();
      case UNSUSPECTED -> scarceFrom((1 + near()) / 2, share);
      case DOUBTED -> scarceFrom(near(), share);
      case SUSPECT -> new Purchase.Refused(Purchase.Reason.SUSPECT);
    };
  }

  private static Purchase scarceFrom(double limit, double share) {
    return share < limit ? new Purchase.Allowed() : new Purchase.Refused(Purchase.Reason.SCARCE);
  }

  private double near() {
    return config.nearPercent() / 100.0;
  }

  /** Begins a new count with the first who asks in a new minute. */
  private long spilledThisMinute() {
    long now = clock.millis() / MINUTE_MILLIS;
    long counted = minute.get();
    if (now != counted && minute.compareAndSet(counted, now)) {
      inMinute.set(0);
    }
    return inMinute.get();
  }

  private synchronized long unsettled() {
    return price.of(measured.get().since(settled));
  }

  private static double money(long nanos) {
    return nanos / 1e9;
  }
}
