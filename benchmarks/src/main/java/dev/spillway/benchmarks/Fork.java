package dev.spillway.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;

/**
 * One fresh JVM of a run. Times every rival between two samples of the yardstick, so that whatever
 * else the machine does meanwhile falls on both alike, and writes what it finds to stdout, a line
 * each: {@code ratio NAME X} and {@code call NAME NANOS HASHES}.
 */
final class Fork {
  private static final Duration WARM_UP = Duration.ofMillis(1500);
  private static final Duration SAMPLE = Duration.ofMillis(150);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final List<Rival> rivals;

  private Fork(int cost) {
    rivals = Rivals.all(cost);
  }

  /** Takes cost and number of rounds. */
  public static void main(String... args) {
    Fork fork = new Fork(Integer.parseInt(args[0]));
    int rounds = Integer.parseInt(args[1]);
    System.err.print("  warming up");
    fork.warmUp();
    for (int round = 1; round <= rounds; round++) {
      System.err.print("\r  round " + round + " of " + rounds + "   ");
      fork.round();
    }
    System.err.println();
  }

  private void warmUp() {
    for (Rival rival : rivals) {
      sample(rival, WARM_UP, false);
    }
  }

  private void round() {
    Rival yardstick = rivals.getFirst();
    for (Rival rival : rivals.subList(1, rivals.size())) {
      double before = sample(yardstick, SAMPLE, true);
      double first = sample(rival, SAMPLE, true);
      double second = sample(rival, SAMPLE, true);
      double after = sample(yardstick, SAMPLE, true);
      System.out.println("ratio " + rival.name() + " " + (before + after) / (first + second));
    }
  }

  /** CPU nanoseconds for one hash, over calls that together take at least {@code least}. */
  private static double sample(Rival rival, Duration least, boolean told) {
    long hashes = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    long now = start;
    do {
      long began = now;
      int computed = rival.call().compute().size();
      now = THREADS.getCurrentThreadCpuTime();
      hashes += computed;
      if (told) {
        System.out.println("call " + rival.name() + " " + (now - began) + " " + computed);
      }
    } while (now - start < least.toNanos());
    return (double) (now - start) / hashes;
  }
}
