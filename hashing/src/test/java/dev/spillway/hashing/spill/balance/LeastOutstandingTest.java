package dev.spillway.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which target is taken; the numbers are the invariants' in {@link LeastOutstanding}. */
class LeastOutstandingTest extends BalancerFixture {
  @Test
  void whatIsTaken_isOutstanding_untilEndedOnce() {
    var balancer = balancer(5);
    Ticket one = take(balancer);
    take(balancer);
    assertThat(balancer.outstanding(0)).isEqualTo(2);

    balancer.end(one, Ending.ANSWERED);
    balancer.end(one, Ending.ANSWERED);
    assertThat(balancer.outstanding(0)).as("B1").isEqualTo(1);
  }

  @Test
  void noTarget_hasMoreThanItsBound() {
    var balancer = balancer(1, 2);
    take(balancer);
    take(balancer);
    take(balancer);
    assertThat(balancer.take()).as("B2").isEqualTo(new Choice.Full());
    assertThat(balancer.outstanding()).containsExactly(1, 2);
  }

  @Test
  void theLeastLoaded_isTaken() {
    var balancer = balancer(9, 9, 9);
    List<Ticket> tickets = IntStream.range(0, 9).mapToObj(i -> take(balancer)).toList();
    assertThat(balancer.outstanding()).as("B3").containsExactly(3, 3, 3);

    tickets.stream()
        .filter(ticket -> ticket.target() == 1)
        .forEach(ticket -> balancer.end(ticket, Ending.ANSWERED));
    assertThat(List.of(target(balancer), target(balancer), target(balancer)))
        .as("B3: as soon as a call has ended, its target is the idle one")
        .containsOnly(1);
  }

  @Test
  void amongEquals_chanceDecides() {
    var random = new SplittableRandom(1);
    var balancer =
        new LeastOutstanding(
            Collections.nCopies(4, 9), COOL_DOWN, () -> nanos, bound -> random.nextInt(bound));
    int[] calls = new int[4];
    for (int i = 0; i < 4_000; i++) {
      Ticket ticket = take(balancer);
      calls[ticket.target()]++;
      balancer.end(ticket, Ending.ANSWERED);
    }
    assertThat(IntStream.of(calls).min().orElseThrow()).as("B3").isGreaterThan(800);
  }

  @Test
  void oneFailedCall_countsAsLoadForAWhile_andClosesNothing() {
    var balancer = balancer(9, 9);
    Ticket failing = take(balancer);
    balancer.end(failing, Ending.FAILED);
    assertThat(target(balancer)).as("B4").isNotEqualTo(failing.target());
    assertThat(List.of(target(balancer), target(balancer))).as("B4").contains(failing.target());

    pass(Duration.ofSeconds(1));
    assertThat(balancer.cooling(failing.target())).isFalse();
    assertThat(target(balancer)).as("B4: one call less than the other").isEqualTo(failing.target());
  }

  @ParameterizedTest
  @EnumSource(names = {"DECLINED", "SLOW"})
  void declinedOrSlow_countsAsLoad_howeverOften(Ending ending) {
    var balancer = balancer(99, 99);
    Ticket busy = take(balancer);
    for (int i = 0; i < 10; i++) {
      Ticket ticket = take(balancer);
      if (ticket.target() != busy.target()) {
        balancer.end(ticket, ending);
      }
    }
    assertThat(balancer.outstanding(busy.target())).as("B4").isGreaterThan(4);
    assertThat(balancer.cooling(1 - busy.target())).isFalse();
  }

  @Test
  void whereOneIsFull_theAnswerIsFull() {
    var balancer = balancer(1, 1);
    Ticket one = take(balancer);
    Ticket other = take(balancer);
    balancer.end(one, Ending.FORBIDDEN);
    assertThat(balancer.take()).as("B9").isEqualTo(new Choice.Full());
    balancer.end(other, Ending.FORBIDDEN);
    assertThat(balancer.take()).as("B9").isEqualTo(new Choice.Cooling());
  }

  @Test
  void aSecondChoice_isNeitherTheFirst_norAProbe() {
    var balancer = balancer(9, 9, 9);
    Ticket first = take(balancer);
    for (int target = 0; target < 3; target++) {
      if (target != first.target()) {
        assertThat(balancer.takeInsteadOf(first.target())).isInstanceOf(Choice.Taken.class);
      }
    }
    assertThat(balancer.outstanding()).as("B11").containsExactly(1, 1, 1);

    var two = balancer(9, 9);
    Ticket closed = take(two);
    two.end(closed, Ending.FORBIDDEN);
    pass(Duration.ofSeconds(30));
    assertThat(two.takeInsteadOf(1 - closed.target())).as("B11").isEqualTo(new Choice.Full());
    assertThat(take(two).probe()).as("nothing was lost by looking").isTrue();
  }

  @Test
  void whereThereIsNoTarget_theAnswerIsNone() {
    var balancer = balancer();
    assertThat(balancer.take()).as("B9").isEqualTo(new Choice.None());
  }

  /** A black hole: one of three fails in a millisecond, the others take a hundred. */
  @Test
  void failingFast_attractsNothing() {
    assertThat(shareOfTheFirst(List.of(1, 100, 100), true)).isLessThan(0.05);
  }

  @Test
  void slowTenfold_getsItsShareAndNoMore() {
    assertThat(shareOfTheFirst(List.of(1_000, 100, 100), false)).isBetween(0.03, 0.08);
  }

  @Test
  void whatCannotWork_isRefused() {
    assertThatThrownBy(() -> balancer(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CoolDown(Duration.ZERO, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CoolDown(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A minute of 200 calls a second, on a clock of one tick per millisecond. */
  private double shareOfTheFirst(List<Integer> millis, boolean firstFails) {
    var random = new SplittableRandom(7);
    var balancer =
        new LeastOutstanding(
            Collections.nCopies(millis.size(), 50),
            COOL_DOWN,
            () -> nanos,
            bound -> random.nextInt(bound));
    record Call(long endMillis, Ticket ticket) {}
    var calls =
        new java.util.PriorityQueue<Call>(java.util.Comparator.comparingLong(Call::endMillis));
    int[] given = new int[millis.size()];
    for (long now = 0; now < 60_000; now++) {
      nanos = Duration.ofMillis(now).toNanos();
      while (!calls.isEmpty() && calls.peek().endMillis() <= now) {
        Ticket ended = calls.remove().ticket();
        boolean failed = firstFails && ended.target() == 0;
        balancer.end(ended, failed ? Ending.FAILED : Ending.ANSWERED);
      }
      if (now % 5 == 0 && balancer.take() instanceof Choice.Taken(Ticket ticket)) {
        given[ticket.target()]++;
        calls.add(new Call(now + millis.get(ticket.target()), ticket));
      }
    }
    return given[0] / (double) IntStream.of(given).sum();
  }
}
