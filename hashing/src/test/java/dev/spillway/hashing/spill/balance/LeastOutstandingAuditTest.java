package dev.spillway.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.hashing.Audit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of every ending among threads; afterwards none is outstanding. */
class LeastOutstandingAuditTest {
  private static final CoolDown COOL_DOWN =
      new CoolDown(Duration.ofMillis(10), Duration.ofMillis(80));
  private static final List<Integer> BOUNDS = List.of(1, 2, 7, 7, 50);

  /** B1 and B2, for as long as {@link Audit} says; each ticket is ended by two of them. */
  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void manyThreads_loseNothing(int threads) throws Exception {
    AtomicLong clock = new AtomicLong();
    var balancer =
        new LeastOutstanding(
            BOUNDS,
            COOL_DOWN,
            () -> clock.addAndGet(100_000),
            bound -> ThreadLocalRandom.current().nextInt(bound));
    AtomicIntegerArray out = new AtomicIntegerArray(BOUNDS.size());
    Queue<Ticket> tickets = new ConcurrentLinkedQueue<>();
    Queue<Ticket> ending = new ConcurrentLinkedQueue<>();
    AtomicInteger given = new AtomicInteger();
    AtomicInteger left = new AtomicInteger(Audit.OPERATIONS);
    CyclicBarrier start = new CyclicBarrier(threads);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        done.add(
            pool.submit(
                () -> {
                  start.await();
                  while (left.getAndDecrement() > 0) {
                    if (random.nextInt(100) < 55) {
                      Choice choice =
                          random.nextInt(10) == 0
                              ? balancer.takeInsteadOf(random.nextInt(BOUNDS.size()))
                              : balancer.take();
                      if (choice instanceof Choice.Taken(Ticket ticket)) {
                        given.incrementAndGet();
                        // Counted later than by the balancer, and forgotten earlier: never more.
                        assertThat(out.incrementAndGet(ticket.target()))
                            .as("B2")
                            .isLessThanOrEqualTo(BOUNDS.get(ticket.target()));
                        tickets.add(ticket);
                      }
                    } else {
                      endOne(balancer, tickets, ending, out, random);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
    assertThat(given.get()).as("calls").isGreaterThan(Audit.OPERATIONS / 10);
    tickets.forEach(ticket -> balancer.end(ticket, Ending.ANSWERED));
    assertThat(balancer.outstanding()).as("B1").containsOnly(0);
  }

  private static void endOne(
      LeastOutstanding balancer,
      Queue<Ticket> tickets,
      Queue<Ticket> ending,
      AtomicIntegerArray out,
      SplittableRandom random) {
    Ticket another = ending.poll();
    if (another != null) {
      balancer.end(another, Ending.UNSETTLED); // perhaps before the thread that put it there
    }
    Ticket ticket = tickets.poll();
    if (ticket != null) {
      out.decrementAndGet(ticket.target());
      ending.add(ticket);
      Ending any = Ending.values()[random.nextInt(Ending.values().length)];
      balancer.end(ticket, random.nextInt(20) > 0 ? Ending.ANSWERED : any);
    }
  }
}
