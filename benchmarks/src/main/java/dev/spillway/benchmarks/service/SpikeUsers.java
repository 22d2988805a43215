package dev.spillway.benchmarks.service;

import java.util.List;
import java.util.stream.Stream;

/**
 * Who logs in.
 *
 * @param measured at the cost under measurement
 * @param cheap at the lowest cost: so many of their logins can be made that what a service does
 *     beside hashing is compiled before it is measured
 */
record SpikeUsers(List<LoadUser> measured, List<LoadUser> cheap) {
  /** Users share a hash by fives: to compute one for each would take longer than some phases. */
  private static final int HASHES = 40;

  private static final int OF_EACH = 5;
  private static final int CHEAP = 20;
  private static final int LOWEST_COST = 4;

  static SpikeUsers make(int cost) {
    return new SpikeUsers(
        LoadUser.make("load", HASHES, cost).stream()
            .flatMap(user -> user.aliases(OF_EACH))
            .toList(),
        LoadUser.make("cheap", CHEAP, LOWEST_COST));
  }

  List<LoadUser> all() {
    return Stream.concat(measured.stream(), cheap.stream()).toList();
  }
}
