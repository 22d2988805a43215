package dev.spillway.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One fresh JVM of a run. Times a rival, the yardstick and the loops in C within some 100 ms of CPU
 * time, one call each, so that whatever else the machine does meanwhile falls on all alike, and
 * writes what it finds to stdout, a line each: {@code ratio NAME OTHER X}, how many times faster
 * than the other, and {@code call NAME NANOS HASHES}.
 */
final class Fork {
  private static final Duration WARM_UP = Duration.ofMillis(1500);
  private static final Duration WARM_UP_OF_C = Duration.ofMillis(100);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final List<Rival> rivals;
  private final List<Rival> loops;

  private Fork(int cost) {
    rivals = Rivals.all(cost);
    loops = Rivals.inC(cost);
  }

  /** Takes cost and number of rounds. */
  public static void main(String... args) {
    Fork fork = new Fork(Integer.parseInt(args[0]));
    int rounds = Integer.parseInt(args[1]);
    System.err.print("  warming up");
    fork.rivals.forEach(rival -> nanosForOne(rival, WARM_UP));
    Rival best = null;
    double least = Double.MAX_VALUE;
    for (Rival loop : fork.loops) {
      double nanos = nanosForOne(loop, WARM_UP_OF_C);
      if (nanos < least) {
        least = nanos;
        best = loop;
      }
    }
    for (int round = 1; round <= rounds; round++) {
      System.err.print("\r  round " + round + " of " + rounds + "   ");
      fork.round(best, round % 2 == 0);
    }
    System.err.println();
  }

  private void round(Rival bestLoop, boolean backwards) {
    Rival yardstick = rivals.getFirst();
    for (Rival rival : rivals.subList(1, rivals.size())) {
      Map<String, Rival> others = new LinkedHashMap<>();
      others.put(yardstick.name(), yardstick);
      if (bestLoop != null && rival.name().startsWith("lanes-")) {
        int lanes = Integer.parseInt(rival.name().substring("lanes-".length()));
        others.put("c", loops.get(lanes - 1));
        others.put("best-c", bestLoop);
      }
      compare(rival, others, backwards);
    }
    loops.forEach(loop -> compare(loop, Map.of(yardstick.name(), yardstick), backwards));
  }

  private static void compare(Rival rival, Map<String, Rival> others, boolean backwards) {
    List<Rival> order = new ArrayList<>(others.values());
    order.add(1, rival);
    Map<Rival, Double> nanos = new LinkedHashMap<>();
    for (Rival one : backwards ? order.reversed() : order) {
      nanos.put(one, call(one));
    }
    others.forEach(
        (as, other) ->
            System.out.println(
                "ratio " + rival.name() + " " + as + " " + nanos.get(other) / nanos.get(rival)));
  }

  /** CPU nanoseconds for one hash. */
  private static double call(Rival rival) {
    long start = THREADS.getCurrentThreadCpuTime();
    int hashes = rival.call().hash();
    long took = THREADS.getCurrentThreadCpuTime() - start;
    System.out.println("call " + rival.name() + " " + took + " " + hashes);
    return (double) took / hashes;
  }

  /** Over calls that together take at least {@code least}. */
  private static double nanosForOne(Rival rival, Duration least) {
    long hashes = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    long took;
    do {
      hashes += rival.call().hash();
      took = THREADS.getCurrentThreadCpuTime() - start;
    } while (took < least.toNanos());
    return (double) took / hashes;
  }
}
