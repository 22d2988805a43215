package dev.spillway.locallambda.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InjectionTest {
  @Test
  void withoutAFault_nothingHappens() {
    assertThat(new Injection(line -> {}).draw()).isEqualTo(new Effect.None());
  }

  @Test
  void badDay_sparesEverySecondInvocation_andDrawsForTheOthers() {
    List<Integer> draws = new ArrayList<>(List.of(0, 1, 0, 1, 2, 0));
    Injection injection = new Injection(line -> {}, bound -> draws.removeFirst());
    injection.set(Optional.of(Fault.BAD_DAY));

    assertThat(injection.draw()).isEqualTo(new Effect.None());
    assertThat(injection.draw()).isEqualTo(Fault.THROTTLED_CONCURRENCY.effect());
    assertThat(injection.draw()).isEqualTo(Fault.BAD_GATEWAY.effect());
    assertThat(injection.draw()).isEqualTo(new Effect.None());
    assertThat(draws).isEmpty();
  }

  @Test
  void changes_areLogged_once() {
    List<String> log = new ArrayList<>();
    Injection injection = new Injection(log::add);
    injection.set(Optional.empty());
    injection.set(Optional.of(Fault.HTML));
    injection.set(Optional.of(Fault.HTML));
    injection.set(Optional.empty());
    assertThat(log).containsExactly("fault: html", "fault: none any more");
  }
}
