package dev.spillway.hashing.spill.balance;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * The invariants of {@link LeastOutstanding} that two threads could break, by its numbers, under
 * schedules that Lincheck chooses; and that it is linearizable. What LeastOutstandingTest pins for
 * one thread then holds for any number of them.
 */
class LeastOutstandingModelTest {
  private static final CoolDown COOL_DOWN =
      new CoolDown(Duration.ofSeconds(1), Duration.ofSeconds(4));
  private static final int SCHEDULES = Integer.getInteger("model.schedules", 500);

  /** Shared for Lincheck to see: what a lambda captures it takes for a thread's own. */
  private static volatile LeastOutstanding balancer;

  private static volatile Ticket ticket;
  private static volatile Choice one;
  private static volatile Choice other;

  @Test
  void everyAnswer_isThatOfSomeOrder() {
    new ModelCheckingOptions()
        .iterations(10)
        .invocationsPerIteration(SCHEDULES)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(2)
        .check(Operations.class);
  }

  @Test
  void b1_aTicketEndedByTwo_endsOnce() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          balancer = balancer(new AtomicLong(), 5);
          ticket = ((Choice.Taken) balancer.take()).ticket();
          balancer.take();
          both(
              () -> balancer.end(ticket, Ending.ANSWERED),
              () -> balancer.end(ticket, Ending.UNSETTLED));
          check(balancer.outstanding(0) == 1);
        });
  }

  @Test
  void b2_twoWantTheLastSlot_oneGetsIt() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          balancer = balancer(new AtomicLong(), 1);
          both(() -> one = balancer.take(), () -> other = balancer.take());
          check(one instanceof Choice.Taken != other instanceof Choice.Taken);
          check(balancer.outstanding(0) == 1);
        });
  }

  @Test
  void b3_twoAtOnce_areGivenAnIdleTargetEach() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          balancer = balancer(new AtomicLong(), 5, 5);
          both(() -> balancer.take(), () -> balancer.take());
          check(balancer.outstanding(0) == 1 && balancer.outstanding(1) == 1);
        });
  }

  @Test
  void b6_twoComeWhenAProbeIsDue_oneProbes() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          AtomicLong nanos = new AtomicLong();
          balancer = balancer(nanos, 5);
          balancer.end(((Choice.Taken) balancer.take()).ticket(), Ending.FORBIDDEN);
          nanos.addAndGet(COOL_DOWN.longest().toNanos());
          both(() -> one = balancer.take(), () -> other = balancer.take());
          check(one instanceof Choice.Cooling != other instanceof Choice.Cooling);
          check(balancer.outstanding(0) == 1);
        });
  }

  @Test
  void b11_aSecondChoiceMeetsAFirst_andLosesNothing() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          balancer = balancer(new AtomicLong(), 5, 5);
          both(() -> one = balancer.takeInsteadOf(0), () -> other = balancer.take());
          check(((Choice.Taken) one).ticket().target() == 1);
          check(balancer.outstanding(0) + balancer.outstanding(1) == 2);
        });
  }

  private static LeastOutstanding balancer(AtomicLong nanos, Integer... bounds) {
    return new LeastOutstanding(List.of(bounds), COOL_DOWN, nanos::get, bound -> 0);
  }

  /** Not AssertJ: Lincheck would look into that, too. */
  private static void check(boolean holds) {
    if (!holds) {
      throw new AssertionError();
    }
  }

  private static void both(Runnable here, Runnable there) {
    Thread first = new Thread(here);
    Thread second = new Thread(there);
    first.start();
    second.start();
    try {
      first.join();
      second.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What two threads do in any order; each ends only what it has taken itself. */
  public static class Operations {
    private final LeastOutstanding balancer = balancer(new AtomicLong(), 1, 2);
    private final Ticket[] taken = new Ticket[4];

    @Operation
    public String take(@Param(gen = ThreadIdGen.class) int thread) {
      return remember(thread, balancer.take());
    }

    @Operation
    public String takeInsteadOf(
        @Param(gen = ThreadIdGen.class) int thread,
        @Param(gen = IntGen.class, conf = "0:1") int first) {
      return remember(thread, balancer.takeInsteadOf(first));
    }

    @Operation
    public void end(
        @Param(gen = ThreadIdGen.class) int thread,
        @Param(gen = IntGen.class, conf = "0:5") int ending) {
      if (taken[thread] != null) {
        balancer.end(taken[thread], Ending.values()[ending]);
      }
    }

    @Operation
    public String outstanding() {
      return Arrays.toString(balancer.outstanding());
    }

    private String remember(int thread, Choice choice) {
      if (choice instanceof Choice.Taken(Ticket ticket)) {
        taken[thread] = ticket;
        return ticket.target() + (ticket.probe() ? " to probe" : "");
      }
      return choice.toString();
    }
  }
}
