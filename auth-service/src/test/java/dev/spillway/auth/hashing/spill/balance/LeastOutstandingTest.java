package dev.spillway.auth.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeastOutstandingTest {
  private static final CoolDown COOL_DOWN =
      new CoolDown(Duration.ofSeconds(1), Duration.ofSeconds(30));

  private long nanos;

  /** What chance says next; zero when nothing is scripted. */
  private final Deque<Integer> chance = new ArrayDeque<>();

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
  void threeFailures_closeATarget_longerEachTimeItsProbeFails() {
    var balancer = balancer(9);
    close(balancer);
    for (int seconds : new int[] {1, 2, 4, 8, 16, 30, 30}) {
      pass(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(balancer.take()).as("B5, %d s", seconds).isEqualTo(new Choice.Cooling());
      pass(Duration.ofNanos(1));
      fail(balancer, take(balancer));
    }
  }

  @Test
  void aSuccessBetween_keepsATargetOpen() {
    var balancer = balancer(9);
    for (int i = 0; i < 10; i++) {
      fail(balancer, take(balancer));
      fail(balancer, take(balancer));
      balancer.end(take(balancer), Ending.ANSWERED);
    }
    assertThat(balancer.cooling(0)).as("B5").isFalse();
  }

  @Test
  void failuresOfEarlierCalls_prolongNothing() {
    var balancer = balancer(9);
    List<Ticket> earlier = IntStream.range(0, 9).mapToObj(i -> take(balancer)).toList();
    earlier.forEach(ticket -> fail(balancer, ticket));
    pass(Duration.ofSeconds(1));
    balancer.end(take(balancer), Ending.ANSWERED);
    close(balancer);
    pass(Duration.ofSeconds(1));
    assertThat(take(balancer).probe()).as("B5: a success resets the doubling").isTrue();
  }

  @Test
  void theCoolDown_isUpToAQuarterLonger() {
    var balancer = balancer(9);
    fail(balancer, take(balancer));
    fail(balancer, take(balancer));
    chance.addAll(List.of(1023));
    fail(balancer, take(balancer));
    pass(Duration.ofMillis(1_249));
    assertThat(balancer.take()).isEqualTo(new Choice.Cooling());
    pass(Duration.ofMillis(1));
    assertThat(take(balancer).probe()).isTrue();
  }

  @Test
  void oneProbe_andNoneBesideIt() {
    var balancer = balancer(9);
    close(balancer);
    pass(Duration.ofSeconds(1));
    Ticket probe = take(balancer);
    assertThat(probe.probe()).isTrue();
    assertThat(balancer.take()).as("B6").isEqualTo(new Choice.Cooling());

    balancer.end(probe, Ending.UNSETTLED);
    assertThat(take(balancer).probe()).as("B6: nothing was learned, the next may probe").isTrue();
  }

  @Test
  void aSuccess_opensForTwo_thenForMore() {
    var balancer = balancer(9);
    close(balancer);
    pass(Duration.ofSeconds(1));
    balancer.end(take(balancer), Ending.ANSWERED);
    Ticket one = take(balancer);
    take(balancer);
    assertThat(balancer.take()).as("B7").isEqualTo(new Choice.Full());

    balancer.end(one, Ending.ANSWERED);
    take(balancer);
    take(balancer);
    assertThat(balancer.take()).as("B7").isEqualTo(new Choice.Full());
  }

  @Test
  void throttled_isFullForAMoment_thenForWhatItHad() {
    var balancer = balancer(9);
    List<Ticket> tickets = IntStream.range(0, 5).mapToObj(i -> take(balancer)).toList();
    balancer.end(tickets.get(0), Ending.THROTTLED);
    balancer.end(tickets.get(1), Ending.ANSWERED);
    balancer.end(tickets.get(2), Ending.ANSWERED);
    assertThat(balancer.take()).as("B8").isEqualTo(new Choice.Full());
    assertThat(balancer.cooling(0)).isFalse();

    pass(Duration.ofMillis(100));
    take(balancer);
    take(balancer);
    assertThat(balancer.outstanding(0)).isEqualTo(4);
    assertThat(balancer.take()).as("B8").isEqualTo(new Choice.Full());
  }

  @Test
  void throttledAtEveryCall_isAskedLessAndLess() {
    var balancer = balancer(9);
    for (int millis : new int[] {100, 200, 400, 800, 1000, 1000}) {
      balancer.end(take(balancer), Ending.THROTTLED);
      pass(Duration.ofMillis(millis).minusNanos(1));
      assertThat(balancer.take()).as("B8, %d ms", millis).isEqualTo(new Choice.Full());
      pass(Duration.ofNanos(1));
    }
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
  void forbidden_closesAtOnce_forTheLongest() {
    var balancer = balancer(9);
    Ticket alsoForbidden = take(balancer);
    balancer.end(take(balancer), Ending.FORBIDDEN);
    balancer.end(alsoForbidden, Ending.FORBIDDEN);
    pass(Duration.ofSeconds(30).minusNanos(1));
    assertThat(balancer.take()).as("B10").isEqualTo(new Choice.Cooling());
    pass(Duration.ofNanos(1));
    balancer.end(take(balancer), Ending.FORBIDDEN);
    pass(Duration.ofSeconds(29));
    assertThat(balancer.take()).as("B10").isEqualTo(new Choice.Cooling());
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
    assertThat(balancer.takeInsteadOf(0)).as("B9").isEqualTo(new Choice.None());
    balancer.add(0, 1);
    take(balancer);
    assertThat(balancer.take()).as("B9").isEqualTo(new Choice.Full());
    balancer.remove(0);
    assertThat(balancer.take()).as("B9").isEqualTo(new Choice.None());
  }

  @Test
  void anAddedTarget_isTakenLikeAnyOther() {
    var balancer = balancer(9, 9);
    for (int i = 0; i < 6; i++) {
      take(balancer);
    }
    balancer.add(7, 9);
    assertThat(List.of(target(balancer), target(balancer), target(balancer)))
        .as("B12: it is the idle one")
        .containsOnly(7);
    assertThat(balancer.outstanding()).as("B12").containsExactly(3, 3, 3);
    for (int i = 0; i < 18; i++) {
      take(balancer);
    }
    assertThat(balancer.outstanding()).as("B12").containsExactly(9, 9, 9);
  }

  @Test
  void aRemovedTarget_isGivenNothingMore_andItsCallsAreCountedToTheirEnd() {
    var balancer = balancer(9, 9);
    List<Ticket> tickets = IntStream.range(0, 6).mapToObj(i -> take(balancer)).toList();
    balancer.remove(1);
    balancer.remove(1);
    assertThat(balancer.outstanding(1)).as("B13").isEqualTo(3);
    for (int i = 0; i < 6; i++) {
      assertThat(target(balancer)).as("B13").isZero();
    }
    assertThat(balancer.take()).as("B13").isEqualTo(new Choice.Full());
    assertThat(balancer.takeOf(1)).as("B13").isEmpty();

    for (Ticket ticket : tickets) {
      assertThat(balancer.known(1)).as("B13").isEqualTo(balancer.outstanding(1) > 0);
      if (ticket.target() == 1) {
        balancer.end(ticket, Ending.FAILED);
        balancer.end(ticket, Ending.FAILED);
      }
    }
    assertThat(balancer.known(1)).as("B13").isFalse();
    assertThat(balancer.outstanding()).as("B13").containsExactly(9);
    assertThat(balancer.take()).as("B13: and no target cools down").isEqualTo(new Choice.Full());
  }

  @Test
  void aRemovedTarget_isNotProbed_andTakesItsCoolDownWithIt() {
    var balancer = balancer(9);
    Ticket earlier = take(balancer);
    close(balancer);
    balancer.remove(0);
    pass(Duration.ofSeconds(1));
    assertThat(balancer.take()).as("B13").isEqualTo(new Choice.None());

    balancer.add(1, 1);
    take(balancer);
    assertThat(balancer.take()).as("B9 after B13: one works").isEqualTo(new Choice.Full());
    assertThatThrownBy(() -> balancer.add(0, 9))
        .as("calls are outstanding under that number")
        .isInstanceOf(IllegalArgumentException.class);
    balancer.end(earlier, Ending.FORBIDDEN);
    balancer.add(0, 9);
    assertThat(balancer.cooling(0)).as("B13: what was there is forgotten").isFalse();
  }

  @Test
  void aRemovedProbe_endsLikeAnyCall() {
    var balancer = balancer(9, 1);
    balancer.end(balancer.takeOf(0).orElseThrow(), Ending.FORBIDDEN);
    pass(Duration.ofSeconds(30));
    Ticket probe = take(balancer);
    assertThat(probe.probe()).isTrue();
    balancer.remove(0);
    balancer.end(probe, Ending.ANSWERED);
    assertThat(balancer.known(0)).as("B13").isFalse();
    assertThat(target(balancer)).as("B13").isEqualTo(1);
    assertThat(balancer.take()).as("B13").isEqualTo(new Choice.Full());
  }

  @Test
  void aLowerBound_admitsNothing_untilEnoughHasEnded() {
    var balancer = balancer(5);
    List<Ticket> tickets = IntStream.range(0, 5).mapToObj(i -> take(balancer)).toList();
    balancer.resize(0, 2);
    for (int ended = 0; ended < 4; ended++) {
      assertThat(balancer.take()).as("B14, %d ended", ended).isEqualTo(new Choice.Full());
      balancer.end(tickets.get(ended), Ending.ANSWERED);
    }
    take(balancer);
    assertThat(balancer.take()).as("B14").isEqualTo(new Choice.Full());
    assertThat(balancer.outstanding(0)).isEqualTo(2);
  }

  @Test
  void aHigherBound_canBeUsedAtOnce() {
    var balancer = balancer(1);
    take(balancer);
    assertThat(balancer.take()).isEqualTo(new Choice.Full());
    balancer.resize(0, 3);
    take(balancer);
    take(balancer);
    assertThat(balancer.take()).as("B14").isEqualTo(new Choice.Full());
  }

  @Test
  void aHigherBound_doesNotUndoAThrottle_norACoolDown() {
    var balancer = balancer(9);
    List<Ticket> tickets = IntStream.range(0, 3).mapToObj(i -> take(balancer)).toList();
    balancer.end(tickets.getFirst(), Ending.THROTTLED);
    balancer.resize(0, 20);
    assertThat(balancer.take()).as("B14, B8").isEqualTo(new Choice.Full());
    pass(Duration.ofMillis(100));
    assertThat(balancer.take()).as("B14, B8: it had two").isEqualTo(new Choice.Full());

    balancer.end(tickets.get(1), Ending.FORBIDDEN);
    balancer.resize(0, 30);
    assertThat(balancer.take()).as("B14, B10").isEqualTo(new Choice.Cooling());
    assertThat(balancer.cooling(0)).isTrue();
  }

  @Test
  void whoAsksForOne_getsThatOrNothing_andNeverTheProbe() {
    var balancer = balancer(2, 9);
    Ticket one = balancer.takeOf(0).orElseThrow();
    assertThat(one.target()).as("B15").isZero();
    assertThat(balancer.takeOf(0)).as("B15").isPresent();
    assertThat(balancer.takeOf(0)).as("B15: full").isEmpty();
    assertThat(balancer.takeOf(2)).as("B15: not there").isEmpty();

    balancer.end(one, Ending.FORBIDDEN);
    assertThat(balancer.takeOf(0)).as("B15: cools down").isEmpty();
    pass(Duration.ofSeconds(30));
    assertThat(balancer.takeOf(0)).as("B15: its probe is due").isEmpty();
    assertThat(take(balancer).probe()).isTrue();
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
    assertThatThrownBy(() -> balancer(1).resize(0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> balancer(1).add(1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> balancer(1).add(0, 1)).isInstanceOf(IllegalArgumentException.class);
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

  private LeastOutstanding balancer(Integer... bounds) {
    return new LeastOutstanding(
        List.of(bounds),
        COOL_DOWN,
        () -> nanos,
        bound -> {
          Integer scripted = bound == 1024 ? chance.poll() : null;
          return scripted == null ? 0 : scripted;
        });
  }

  private void close(LeastOutstanding balancer) {
    for (int i = 0; i < 3; i++) {
      fail(balancer, take(balancer));
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private static void fail(LeastOutstanding balancer, Ticket ticket) {
    balancer.end(ticket, Ending.FAILED);
  }

  private static int target(LeastOutstanding balancer) {
    return take(balancer).target();
  }

  private static Ticket take(LeastOutstanding balancer) {
    Choice choice = balancer.take();
    assertThat(choice).isInstanceOf(Choice.Taken.class);
    return ((Choice.Taken) choice).ticket();
  }
}
