package dev.spillway.auth.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Anything in any order: what is left of the invariants when nobody has thought of it. */
class LeastOutstandingChaosTest {
  private static final CoolDown COOL_DOWN =
      new CoolDown(Duration.ofMillis(10), Duration.ofMillis(80));
  private static final List<Integer> BOUNDS = List.of(1, 2, 7, 7, 50);

  private long nanos;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aQuarterMillionOperations_loseNothing(long seed) {
    var random = new SplittableRandom(seed);
    var balancer = new LeastOutstanding(BOUNDS, COOL_DOWN, () -> nanos, random::nextInt);
    List<Ticket> out = new ArrayList<>();
    int[] expected = new int[BOUNDS.size()];
    for (int i = 0; i < 250_000; i++) {
      nanos += random.nextInt(200_000);
      if (random.nextInt(100) < 55) {
        Choice choice =
            random.nextInt(10) == 0
                ? balancer.takeInsteadOf(random.nextInt(BOUNDS.size()))
                : balancer.take();
        if (choice instanceof Choice.Taken(Ticket ticket)) {
          out.add(ticket);
          expected[ticket.target()]++;
          assertThat(expected[ticket.target()]).isLessThanOrEqualTo(BOUNDS.get(ticket.target()));
        }
      } else if (!out.isEmpty()) {
        Ticket ticket = out.remove(random.nextInt(out.size()));
        expected[ticket.target()]--;
        Ending ending = Ending.values()[random.nextInt(Ending.values().length)];
        balancer.end(ticket, random.nextBoolean() ? Ending.ANSWERED : ending);
        balancer.end(ticket, Ending.FAILED);
      }
      if (i % 100 == 0) {
        assertThat(balancer.outstanding()).containsExactly(expected);
      }
    }
    out.forEach(ticket -> balancer.end(ticket, Ending.ANSWERED));
    assertThat(balancer.outstanding()).containsOnly(0);
    everyTargetIsReachableAgain(balancer);
  }

  /** B12 to B14 among all the others, against a count kept beside it. */
  @ParameterizedTest
  @ValueSource(longs = {5, 6, 7, 8})
  void targetsThatComeAndGo_andChangeTheirBounds_loseNothing(long seed) {
    var random = new SplittableRandom(seed);
    var balancer = new LeastOutstanding(List.of(), COOL_DOWN, () -> nanos, random::nextInt);
    List<Ticket> out = new ArrayList<>();
    Map<Integer, Integer> bounds = new TreeMap<>();
    Map<Integer, Integer> expected = new TreeMap<>();
    for (int i = 0; i < 250_000; i++) {
      nanos += random.nextInt(200_000);
      int target = random.nextInt(8);
      int dice = random.nextInt(100);
      if (dice < 2 && !balancer.known(target)) {
        bounds.put(target, 1 + random.nextInt(9));
        balancer.add(target, bounds.get(target));
      } else if (dice < 4) {
        bounds.remove(target);
        balancer.remove(target);
      } else if (dice < 6 && bounds.containsKey(target)) {
        bounds.put(target, 1 + random.nextInt(9));
        balancer.resize(target, bounds.get(target));
      } else if (dice < 55) {
        Optional<Ticket> taken =
            switch (dice % 3) {
              case 0 -> balancer.takeOf(target);
              case 1 -> ticket(balancer.takeInsteadOf(target));
              default -> ticket(balancer.take());
            };
        taken.ifPresent(
            ticket -> {
              out.add(ticket);
              int calls = expected.merge(ticket.target(), 1, Integer::sum);
              assertThat(bounds).as("B13").containsKey(ticket.target());
              assertThat(calls).as("B2, B14").isLessThanOrEqualTo(bounds.get(ticket.target()));
            });
      } else if (!out.isEmpty()) {
        Ticket ticket = out.remove(random.nextInt(out.size()));
        expected.merge(ticket.target(), -1, Integer::sum);
        Ending ending = Ending.values()[random.nextInt(Ending.values().length)];
        balancer.end(ticket, random.nextBoolean() ? Ending.ANSWERED : ending);
        balancer.end(ticket, Ending.FAILED);
      }
      if (i % 100 == 0) {
        expected.forEach(
            (each, calls) -> assertThat(balancer.outstanding(each)).as("B1, B13").isEqualTo(calls));
        assertThat(balancer.outstanding()).hasSize(bounds.size());
      }
    }
    out.forEach(ticket -> balancer.end(ticket, Ending.ANSWERED));
    assertThat(balancer.outstanding()).containsOnly(0);
    List.copyOf(bounds.keySet()).forEach(balancer::remove);
    assertThat(IntStream.range(0, 8).anyMatch(balancer::known)).as("B13").isFalse();
    assertThat(balancer.take()).as("B9: no cool-down was left behind").isEqualTo(new Choice.None());
  }

  /** B3, B12, B13: of those in use it is always the least loaded, as long as none fails. */
  @ParameterizedTest
  @ValueSource(longs = {9, 10})
  void whoeverComesAndGoes_theLeastLoadedIsTaken(long seed) {
    var random = new SplittableRandom(seed);
    var balancer = new LeastOutstanding(List.of(), COOL_DOWN, () -> nanos, random::nextInt);
    Map<Integer, Integer> bounds = new TreeMap<>();
    List<Ticket> out = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      int target = random.nextInt(20);
      int dice = random.nextInt(100);
      if (dice < 5 && !balancer.known(target)) {
        bounds.put(target, 1 + random.nextInt(9));
        balancer.add(target, bounds.get(target));
      } else if (dice < 7) {
        bounds.remove(target);
        balancer.remove(target);
      } else if (dice < 55) {
        int least =
            bounds.entrySet().stream()
                .filter(each -> balancer.outstanding(each.getKey()) < each.getValue())
                .mapToInt(each -> balancer.outstanding(each.getKey()))
                .min()
                .orElse(-1);
        Optional<Ticket> taken = ticket(balancer.take());
        assertThat(taken.map(ticket -> balancer.outstanding(ticket.target()) - 1).orElse(-1))
            .as("B3")
            .isEqualTo(least);
        taken.ifPresent(out::add);
      } else if (!out.isEmpty()) {
        balancer.end(out.remove(random.nextInt(out.size())), Ending.ANSWERED);
      }
    }
  }

  /** The same with callers on threads of their own, and one that changes what they call. */
  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void changesUnderLoad_loseNothing(int threads) throws Exception {
    int highest = 9;
    var balancer =
        new LeastOutstanding(
            List.of(3, 3, 3),
            COOL_DOWN,
            System::nanoTime,
            bound -> ThreadLocalRandom.current().nextInt(bound));
    AtomicBoolean over = new AtomicBoolean();
    AtomicIntegerArray out = new AtomicIntegerArray(3);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        done.add(
            pool.submit(
                () -> {
                  for (int i = 0; !over.get(); i++) {
                    if (balancer.take() instanceof Choice.Taken(Ticket ticket)) {
                      assertThat(out.incrementAndGet(ticket.target()))
                          .as("B2, B14")
                          .isLessThanOrEqualTo(highest);
                      out.decrementAndGet(ticket.target());
                      balancer.end(ticket, Ending.values()[i % Ending.values().length]);
                    }
                  }
                  return null;
                }));
      }
      var random = new SplittableRandom(threads);
      try {
        for (int i = 0; i < 20_000; i++) {
          int target = random.nextInt(3);
          switch (random.nextInt(3)) {
            case 0 -> balancer.remove(target);
            case 1 -> balancer.resize(target, 1 + random.nextInt(highest));
            default -> {
              if (!balancer.known(target)) {
                balancer.add(target, 1 + random.nextInt(highest));
              }
            }
          }
        }
      } finally {
        over.set(true);
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
    for (int target = 0; target < 3; target++) {
      assertThat(balancer.outstanding(target)).as("B1, B13").isZero();
      balancer.remove(target);
      assertThat(balancer.known(target)).as("B13").isFalse();
    }
    assertThat(balancer.take()).as("B9").isEqualTo(new Choice.None());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void manyThreads_loseNothing(int threads) throws Exception {
    var balancer =
        new LeastOutstanding(
            BOUNDS,
            COOL_DOWN,
            System::nanoTime,
            bound -> ThreadLocalRandom.current().nextInt(bound));
    CyclicBarrier start = new CyclicBarrier(threads);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        done.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < 20_000; i++) {
                    if (balancer.take() instanceof Choice.Taken(Ticket ticket)) {
                      int out = balancer.outstanding(ticket.target());
                      assertThat(out).isLessThanOrEqualTo(BOUNDS.get(ticket.target()));
                      balancer.end(ticket, Ending.values()[i % Ending.values().length]);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
    assertThat(balancer.outstanding()).containsOnly(0);
  }

  /** However it ended, a target whose calls succeed again takes all that its bound allows. */
  private void everyTargetIsReachableAgain(LeastOutstanding balancer) {
    for (int round = 0; round < 300; round++) {
      nanos += COOL_DOWN.longest().multipliedBy(20).toNanos();
      List<Ticket> taken = takeAll(balancer);
      taken.forEach(ticket -> balancer.end(ticket, Ending.ANSWERED));
    }
    int[] most = new int[BOUNDS.size()];
    takeAll(balancer).forEach(ticket -> most[ticket.target()]++);
    assertThat(most).as(Arrays.toString(most)).containsExactly(1, 2, 7, 7, 50);
  }

  private static Optional<Ticket> ticket(Choice choice) {
    return choice instanceof Choice.Taken(Ticket ticket) ? Optional.of(ticket) : Optional.empty();
  }

  private static List<Ticket> takeAll(LeastOutstanding balancer) {
    return IntStream.range(0, 100)
        .mapToObj(i -> balancer.take())
        .filter(Choice.Taken.class::isInstance)
        .map(choice -> ((Choice.Taken) choice).ticket())
        .toList();
  }
}
