package dev.spillway.benchmarks.balance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Rob Pike's load balancer demo on a simulated clock: requesters think for a random time, ask, and
 * wait for the answer; workers serve for a random time. Both times are uniform, from nothing to
 * twice their mean.
 */
final class Simulation {
  private static final double SAMPLE_MILLIS = 50;

  private final Setting setting;
  private final SplittableRandom random;
  private final List<Policy> policies;
  private final List<Queue<Request>> lines = new ArrayList<>();
  private final int[] serving = new int[Setting.WORKERS];
  private final int[] pending = new int[Setting.WORKERS];
  private final long[] given = new long[Setting.WORKERS];
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Samples latencies = new Samples();
  private final Samples waits = new Samples();
  private double now;
  private long sequence;
  private long failed;
  private long refused;
  private double means;
  private double variances;
  private int samples;

  private record Request(int instance, Policy.Given given, double bornMillis) {}

  /** Something that happens at a time, and in order among what happens at one time. */
  private record Event(double atMillis, long sequence, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Double.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  Simulation(Setting setting, Policy.Kind kind, long seed) {
    this.setting = setting;
    this.random = new SplittableRandom(seed);
    this.policies =
        IntStream.range(0, setting.instances())
            .mapToObj(
                i -> kind.over(Setting.WORKERS, () -> (long) (now * 1_000_000), random.split()))
            .toList();
    IntStream.range(0, Setting.WORKERS).forEach(worker -> lines.add(new ArrayDeque<>()));
  }

  Outcome run(double millis) {
    for (int requester = 0; requester < Setting.REQUESTERS; requester++) {
      think(requester % setting.instances());
    }
    in(SAMPLE_MILLIS, this::sample);
    while (now < millis) {
      Event next = events.remove();
      now = next.atMillis();
      next.what().run();
    }
    long all = Arrays.stream(given).sum();
    return new Outcome(
        means / samples,
        variances / samples,
        waits.mean(),
        latencies.quantile(0.5),
        latencies.quantile(0.95),
        latencies.quantile(0.99),
        latencies.size() / millis * 1_000,
        given[0] / (double) all,
        failed / (double) all,
        refused);
  }

  private void think(int instance) {
    in(uniform(setting.meanThinkMillis()), () -> ask(instance));
  }

  private void ask(int instance) {
    Optional<Policy.Given> choice = policies.get(instance).give();
    if (choice.isEmpty()) {
      refused++;
      think(instance);
      return;
    }
    int worker = choice.get().worker();
    given[worker]++;
    pending[worker]++;
    lines.get(worker).add(new Request(instance, choice.get(), now));
    serveNext(worker);
  }

  private void serveNext(int worker) {
    if (serving[worker] == setting.serversPerWorker() || lines.get(worker).isEmpty()) {
      return;
    }
    Request request = lines.get(worker).remove();
    serving[worker]++;
    boolean fails = worker == 0 && setting.odd() == Setting.Odd.FAILS_IN_A_MILLISECOND;
    double wait = now - request.bornMillis();
    in(fails ? 1 : service(worker), () -> answer(worker, request, wait, fails));
  }

  private void answer(int worker, Request request, double wait, boolean fails) {
    serving[worker]--;
    pending[worker]--;
    policies.get(request.instance()).ended(request.given(), fails);
    if (fails) {
      failed++;
    } else {
      waits.add(wait);
      latencies.add(now - request.bornMillis());
    }
    think(request.instance());
    serveNext(worker);
  }

  private double service(int worker) {
    boolean slow = worker == 0 && setting.odd() == Setting.Odd.TEN_TIMES_SLOWER;
    return uniform(Setting.MEAN_SERVICE_MILLIS) * (slow ? 10 : 1);
  }

  private void sample() {
    double mean = IntStream.of(pending).average().orElseThrow();
    means += mean;
    variances +=
        IntStream.of(pending).mapToDouble(p -> (p - mean) * (p - mean)).average().orElseThrow();
    samples++;
    in(SAMPLE_MILLIS, this::sample);
  }

  private double uniform(double mean) {
    return random.nextDouble() * 2 * mean;
  }

  private void in(double millis, Runnable what) {
    events.add(new Event(now + millis, sequence++, what));
  }

  /**
   * @param pendingMean requests at a worker, averaged over workers and time
   * @param pendingVariance their variance over the workers, averaged over time
   * @param firstShare of all requests, those worker 0 was given
   */
  record Outcome(
      double pendingMean,
      double pendingVariance,
      double waitMean,
      double p50,
      double p95,
      double p99,
      double perSecond,
      double firstShare,
      double failedShare,
      long refused) {}
}
