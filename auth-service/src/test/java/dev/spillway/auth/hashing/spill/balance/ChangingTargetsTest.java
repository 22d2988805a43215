package dev.spillway.auth.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Targets that come, go and change their size: B12 to B14 of {@link LeastOutstanding}. */
class ChangingTargetsTest extends BalancerFixture {
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
}
