package dev.spillway.benchmarks.calibrate;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Looks for the highest cost that meets both targets, up from where it starts or down, measuring no
 * more costs than it needs: each step up takes twice as long as the one before.
 */
final class Search {
  static final int LOWEST = 4;
  static final int HIGHEST = 18;
  private static final int START = 10;

  private final Machine machine;
  private final Duration latency;
  private final double hashesPerSecond;
  private final Consumer<Machine.Figures> seen;
  private final TreeMap<Integer, Machine.Figures> measured = new TreeMap<>();

  /**
   * @param latency a hash under load is to stay under this
   * @param hashesPerSecond the whole pool is to reach this
   * @param seen hears of each measurement as it is made
   */
  Search(
      Machine machine, Duration latency, double hashesPerSecond, Consumer<Machine.Figures> seen) {
    this.machine = machine;
    this.latency = latency;
    this.hashesPerSecond = hashesPerSecond;
    this.seen = seen;
  }

  /** The cost to choose; empty if not even the lowest meets the targets. */
  Optional<Machine.Figures> best() {
    int cost = START;
    while (meets(cost) && cost < HIGHEST) {
      cost++;
    }
    while (!meets(cost) && cost > LOWEST) {
      cost--;
    }
    return meets(cost) ? Optional.of(measured.get(cost)) : Optional.empty();
  }

  /** Everything measured, by ascending cost. */
  Collection<Machine.Figures> measured() {
    return measured.values();
  }

  private boolean meets(int cost) {
    Machine.Figures figures =
        measured.computeIfAbsent(
            cost,
            unknown -> {
              Machine.Figures fresh = machine.measure(unknown);
              seen.accept(fresh);
              return fresh;
            });
    return figures.underLoad().compareTo(latency) <= 0
        && figures.hashesPerSecond() >= hashesPerSecond;
  }
}
