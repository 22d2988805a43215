package dev.spillway.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
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

  private static List<Ticket> takeAll(LeastOutstanding balancer) {
    return IntStream.range(0, 100)
        .mapToObj(i -> balancer.take())
        .filter(Choice.Taken.class::isInstance)
        .map(choice -> ((Choice.Taken) choice).ticket())
        .toList();
  }
}
