package dev.spillway.auth.throttle;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.network.Addresses;
import dev.spillway.auth.network.ClientNetwork;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Limits how often one may guess, before any hash is spent: on one account from one network, on one
 * account from everywhere, and from one network. Only wrong guesses count.
 */
public final class Throttle {
  /** Of the network itself, and of the wider ones around it. */
  private static final int[] MORE_IN_WIDER_PERCENT = {0, 10, 25};

  /**
   * Wrong guesses on an account or from a network in a window, after which it does not spill: twice
   * what locks an account in one network, so that a user who mistypes stays unsuspected elsewhere.
   */
  private static final int SUSPECT_AFTER = 10;

  private final ThrottleConfig config;
  private final int suspectAfter;
  private final Tallies tallies;
  private final Runnable sweep;
  private final Lines lines = new Lines();
  private final Addresses exempt;
  private final int poolSize;
  private final InstantSource clock;

  /**
   * @param sweep run with each attempt; must not wait
   * @param poolSize hashes that this instance computes at once: as many guesses from one network,
   *     or on one account from several, may be under way beyond the limit
   */
  Throttle(
      ThrottleConfig config, Tallies tallies, Runnable sweep, int poolSize, InstantSource clock) {
    this(config, SUSPECT_AFTER, tallies, sweep, poolSize, clock);
  }

  Throttle(
      ThrottleConfig config,
      int suspectAfter,
      Tallies tallies,
      Runnable sweep,
      int poolSize,
      InstantSource clock) {
    this.config = config;
    this.suspectAfter = suspectAfter;
    this.tallies = tallies;
    this.sweep = sweep;
    this.exempt = Addresses.of("spillway.throttle.exempt", config.exempt().orElse(List.of()));
    this.poolSize = poolSize;
    this.clock = clock;
  }

  /**
   * Begins an attempt, which must be closed. Nothing is asked of the database yet.
   *
   * @param login in its normal form, if it has one
   */
  public Attempt attempt(String login, ClientNetwork network) {
    if (exempt.contain(network.address())) {
      return new FreeAttempt();
    }
    sweep.run();
    Keys keys = Keys.of(login, network);
    List<Line> joined = new ArrayList<>();
    joined.add(join(keys.pair(), Admission.Limit.ACCOUNT, config.accountLimit(), 1));
    keys.widePair()
        .ifPresent(
            pair ->
                joined.add(
                    join(pair, Admission.Limit.ACCOUNT, 2 * config.accountLimit(), poolSize)));
    joined.add(join(keys.account(), Admission.Limit.GUARD, config.guardLimit(), poolSize));
    for (int i = 0; i < keys.networks().size(); i++) {
      int limit = config.networkLimit() + config.networkLimit() * MORE_IN_WIDER_PERCENT[i] / 100;
      joined.add(join(keys.networks().get(i), Admission.Limit.NETWORK, limit, poolSize));
    }
    return new CountedAttempt(keys, joined, lines, tallies, clock, suspectAfter);
  }

  /**
   * Forgets the wrong guesses on an account. Those of a network on any accounts stay counted.
   *
   * @param login in its normal form
   */
  public void unlock(String login, AddedRows<Boolean> extra) {
    tallies.unlock(Keys.account(login), extra);
  }

  private Line join(String key, Admission.Limit kind, int limit, int unreserved) {
    return lines.join(key, absent -> new Line(absent, kind, limit, unreserved, tallies, clock));
  }

  /** Whether nobody is in any line. */
  boolean idle() {
    return lines.isEmpty();
  }
}
