package dev.spillway.auth.hashing.spend;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.DatabaseUnavailable;
import dev.spillway.hashing.Spending;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Decides whether a hash may be spilled: spilling is a privilege, and the nearer a ceiling is the
 * better one must be known to have it.
 */
public final class SpendCeiling implements Spending {
  /*
   * Invariants, each pinned by the test that carries its number in SpendCeilingContract:
   *
   *   M1  A suspect attempt never spills.
   *   M2  From `near` on only those without wrong guesses do, and from half way to the ceiling on
   *       only those at home.
   *   M3  At a ceiling nobody does.
   *   M4  Money counts for all instances together, and is not forgotten when one starts again.
   *
   * Minutes are counted here, hash by hash. Money is known when a call has ended: once a second,
   * settle() takes what the calls since the last time have cost to the ledger and brings back what
   * all instances have spent. So a ceiling can be exceeded by what is spent in about two seconds.
   */
  /**
   * Hashes that this instance spills in a minute: a thousand a second, which no instance sends.
   * What stops a loop that a bug makes, before its price is known.
   */
  private static final long PER_MINUTE = 60_000;

  /**
   * From this share of a ceiling on, accounts and networks with wrong guesses do not spill: a fifth
   * of the money is for the others.
   */
  private static final double NEAR = 0.8;

  private final SpendConfig config;
  private final long perMinute;
  private final Ledger ledger;
  private final Supplier<Calls> measured;
  private final SpendMeters meters;
  private final Price price;
  private final long hourNanos;
  private final long dayNanos;
  private final Minute minute;

  private volatile Books books = Books.EMPTY;

  /** What has not been taken to the ledger, for whatever reason; written under the monitor. */
  private volatile long owed;

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
    this(config, Price.of(config), PER_MINUTE, ledger, measured, meters, clock);
  }

  SpendCeiling(
      SpendConfig config,
      Price price,
      long perMinute,
      Ledger ledger,
      Supplier<Calls> measured,
      SpendMeters meters,
      InstantSource clock) {
    this.config = config;
    this.perMinute = perMinute;
    this.ledger = ledger;
    this.measured = measured;
    this.meters = meters;
    this.price = price;
    this.hourNanos = Price.nanos(config.perHour());
    this.dayNanos = Price.nanos(config.perDay());
    this.minute = new Minute(perMinute, clock);
    meters.observe(this);
  }

  /** For an admin who sets a password: {@link Requester#TRUSTED}. */
  @Override
  public Optional<Runnable> ask() {
    return of(Requester.TRUSTED).ask();
  }

  /** What one requester may spend. */
  public Spending of(Requester requester) {
    return () ->
        ask(requester) instanceof Purchase.Allowed allowed
            ? Optional.of(() -> notSpilled(allowed, requester))
            : Optional.empty();
  }

  /** Whether this hash may be spilled; if so it counts. */
  Purchase ask(Requester requester) {
    Purchase purchase = decide(requester);
    if (purchase instanceof Purchase.Refused(Purchase.Reason reason)) {
      meters.refused(reason);
    }
    return purchase;
  }

  /** A hash that might have been spilled was not: no target took it. It does not count any more. */
  void notSpilled(Purchase.Allowed allowed, Requester requester) {
    minute.takeBack(allowed.minute());
    requester.notSpilled();
  }

  /** Takes to the ledger what calls have cost since the last time; a failing database can wait. */
  synchronized void settle() {
    Calls now = measured.get();
    Calls since = now.since(settled);
    owed = price.of(since);
    try {
      books = ledger.add(owed, since.count());
      settled = now;
      owed = 0;
    } catch (DatabaseUnavailable e) {
      // The next time will do: what is owed counts as spent.
    }
  }

  /** Stops all spilling in all instances, or ends that; here at once, elsewhere in a second. */
  public void open(boolean open, AddedRows<Boolean> extra) {
    ledger.open(open, extra);
    settle();
  }

  /** What is known now. */
  public SpendReport report() {
    long unsettled = unsettled();
    Books known = books;
    return new SpendReport(
        known.open(),
        money(known.spentInHour() + unsettled),
        config.perHour().doubleValue(),
        money(known.spentInDay() + unsettled),
        config.perDay().doubleValue(),
        minute.spilled(),
        perMinute);
  }

  @Override
  public boolean open() {
    return closed(spent()).isEmpty();
  }

  private Purchase decide(Requester requester) {
    Spent spent = spent();
    Optional<Purchase.Reason> closed = closed(spent);
    if (closed.isPresent()) {
      return new Purchase.Refused(closed.get());
    }
    double money = Math.max(spent.ofHour(), spent.ofDay());
    return switch (requester.standing()) {
      case AT_HOME -> upTo(1, money, requester);
      case UNSUSPECTED -> upTo((1 + NEAR) / 2, money, requester);
      case DOUBTED -> upTo(NEAR, money, requester);
      case SUSPECT -> new Purchase.Refused(Purchase.Reason.SUSPECT);
    };
  }

  private Optional<Purchase.Reason> closed(Spent spent) {
    if (!books.open()) {
      return Optional.of(Purchase.Reason.STOPPED);
    }
    if (minute.share() >= 1) {
      return Optional.of(Purchase.Reason.MINUTE);
    }
    if (spent.ofHour() >= 1) {
      return Optional.of(Purchase.Reason.HOUR);
    }
    return spent.ofDay() >= 1 ? Optional.of(Purchase.Reason.DAY) : Optional.empty();
  }

  private Spent spent() {
    // In this order: what goes to the books meanwhile is seen twice, and not never.
    long unsettled = owed;
    Books known = books;
    return new Spent(
        (double) (known.spentInHour() + unsettled) / hourNanos,
        (double) (known.spentInDay() + unsettled) / dayNanos);
  }

  /** Shares of the ceilings of the hour and the day. */
  private record Spent(double ofHour, double ofDay) {}

  /** Others may have been counted since the minute was looked at. */
  private Purchase upTo(double limit, double money, Requester requester) {
    OptionalLong counted = money < limit ? minute.add(limit) : OptionalLong.empty();
    if (counted.isPresent()) {
      return new Purchase.Allowed(counted.getAsLong());
    }
    requester.notSpilled();
    return new Purchase.Refused(limit < 1 ? Purchase.Reason.SCARCE : Purchase.Reason.MINUTE);
  }

  private synchronized long unsettled() {
    return price.of(measured.get().since(settled));
  }

  private static double money(long nanos) {
    return nanos / 1e9;
  }
}
