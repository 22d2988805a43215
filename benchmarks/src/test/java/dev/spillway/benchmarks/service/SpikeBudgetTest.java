package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The time of a run is shared out, and no more of it than there is. */
class SpikeBudgetTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Duration now = Duration.ofSeconds(-3);
  private final SpikeBudget budget = new SpikeBudget(seconds(100), () -> now.toNanos());

  @Test
  void all_isThereAtFirst_andThenLess() {
    assertThat(budget.left()).isEqualTo(seconds(100));
    pass(30);
    assertThat(budget.used()).isEqualTo(seconds(30));
    assertThat(budget.left()).isEqualTo(seconds(70));
    assertThat(budget.allows(seconds(70))).isTrue();
    assertThat(budget.allows(seconds(71))).isFalse();
  }

  @Test
  void share_isTheSameForAllToCome() {
    SpikeBudget.Share first = budget.share(4);
    assertThat(first.allows(seconds(20), seconds(5))).isTrue();
    assertThat(first.allows(seconds(20), seconds(6))).isFalse();
    pass(10);
    assertThat(first.allows(seconds(10), seconds(5))).isTrue();
    assertThat(first.allows(seconds(11), seconds(5))).isFalse();
  }

  @Test
  void whatOneLeaves_isThereForTheOthers() {
    pass(10); // of 25
    SpikeBudget.Share second = budget.share(3);
    assertThat(second.allows(seconds(30), Duration.ZERO)).isTrue();
    assertThat(second.allows(seconds(31), Duration.ZERO)).isFalse();
  }

  @Test
  void whatOneOverdraws_isTakenFromTheOthers_notAdded() {
    pass(76); // of 25
    SpikeBudget.Share second = budget.share(3);
    assertThat(second.allows(seconds(8), Duration.ZERO)).isTrue();
    assertThat(second.allows(seconds(9), Duration.ZERO)).isFalse();
    pass(25);
    assertThat(budget.left()).isNegative();
    assertThat(budget.share(2).allows(SECOND, Duration.ZERO)).isFalse();
  }

  @Test
  void quick_isUnderThreeMinutes_evenIfTheLastStartsAndEndsLate() {
    SpikeOptions quick = SpikeOptions.parse("--quick");
    assertThat(quick.budget()).isLessThan(Duration.ofMinutes(3).minus(seconds(10)));
  }

  @Test
  void quick_hasTimeForEverySpike_andForSteps() {
    hasTimeForSpikesAndSteps(SpikeOptions.parse("--quick"));
    hasTimeForSpikesAndSteps(SpikeOptions.parse("--quick", "--rival", "keycloak"));
    hasTimeForSpikesAndSteps(SpikeOptions.parse());
  }

  private static void hasTimeForSpikesAndSteps(SpikeOptions options) {
    Duration steps = options.budget();
    for (SpikeContender contender : options.contenders()) {
      steps = steps.minus(SpikeRun.atLeast(contender, options));
    }
    assertThat(steps)
        .isGreaterThan(options.length().step().multipliedBy(3L * options.contenders().size()));
  }

  private void pass(int seconds) {
    now = now.plusSeconds(seconds);
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
