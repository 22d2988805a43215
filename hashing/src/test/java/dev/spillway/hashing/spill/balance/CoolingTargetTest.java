package dev.spillway.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Targets that fail, throttle or forbid: B5 to B8 and B10 of {@link LeastOutstanding}. */
class CoolingTargetTest extends BalancerFixture {
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
}
