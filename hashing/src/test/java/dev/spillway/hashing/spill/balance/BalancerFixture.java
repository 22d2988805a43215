package dev.spillway.hashing.spill.balance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A balancer whose clock stands and whose chance is scripted. */
abstract class BalancerFixture {
  static final CoolDown COOL_DOWN = new CoolDown(Duration.ofSeconds(1), Duration.ofSeconds(30));

  long nanos;

  /** What chance says next; zero when nothing is scripted. */
  final Deque<Integer> chance = new ArrayDeque<>();

  LeastOutstanding balancer(Integer... bounds) {
    return new LeastOutstanding(
        List.of(bounds),
        COOL_DOWN,
        () -> nanos,
        bound -> {
          Integer scripted = bound == 1024 ? chance.poll() : null;
          return scripted == null ? 0 : scripted;
        });
  }

  void close(LeastOutstanding balancer) {
    for (int i = 0; i < 3; i++) {
      fail(balancer, take(balancer));
    }
  }

  void pass(Duration time) {
    nanos += time.toNanos();
  }

  static void fail(LeastOutstanding balancer, Ticket ticket) {
    balancer.end(ticket, Ending.FAILED);
  }

  static int target(LeastOutstanding balancer) {
    return take(balancer).target();
  }

  static Ticket take(LeastOutstanding balancer) {
    Choice choice = balancer.take();
    assertThat(choice).isInstanceOf(Choice.Taken.class);
    return ((Choice.Taken) choice).ticket();
  }
}
