package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
  @Test
  void tenAreSavedUp_thenTheyAreAShareOfCalls() {
    RetryBudget budget = new RetryBudget(10);
    assertThat(spent(budget, 100)).isEqualTo(10);
    calls(budget, 9);
    assertThat(budget.spend()).isFalse();
    calls(budget, 1);
    assertThat(spent(budget, 100)).isEqualTo(1);
    calls(budget, 1_000);
    assertThat(spent(budget, 100)).as("no more than ten are ever saved").isEqualTo(10);
  }

  @Test
  void zeroPercent_isNone() {
    RetryBudget budget = new RetryBudget(0);
    calls(budget, 1_000);
    assertThat(budget.spend()).isFalse();
  }

  private static void calls(RetryBudget budget, int count) {
    IntStream.range(0, count).forEach(i -> budget.called());
  }

  private static long spent(RetryBudget budget, int tries) {
    return IntStream.range(0, tries).filter(i -> budget.spend()).count();
  }
}
