package dev.spillway.hashing.spill.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
  @Test
  void tenAreSavedUp_thenTheyAreAShareOfCalls() {
    RetryBudget budget = new RetryBudget();
    assertThat(spent(budget, 100)).isEqualTo(10);
    calls(budget, 9);
    assertThat(budget.spend(10)).isFalse();
    calls(budget, 1);
    assertThat(spent(budget, 100)).isEqualTo(1);
    calls(budget, 1_000);
    assertThat(spent(budget, 100)).as("no more than ten are ever saved").isEqualTo(10);
  }

  @Test
  void zeroPercent_isNone() {
    RetryBudget budget = new RetryBudget();
    IntStream.range(0, 1_000).forEach(i -> budget.called(0));
    assertThat(budget.spend(0)).isFalse();
  }

  @Test
  void anotherPercentage_holdsFromTheNextCallOn() {
    RetryBudget budget = new RetryBudget();
    spent(budget, 100);
    IntStream.range(0, 4).forEach(i -> budget.called(50));
    assertThat(budget.spend(0)).isFalse();
    assertThat(spent(budget, 100)).isEqualTo(2);
  }

  private static void calls(RetryBudget budget, int count) {
    IntStream.range(0, count).forEach(i -> budget.called(10));
  }

  private static long spent(RetryBudget budget, int tries) {
    return IntStream.range(0, tries).filter(i -> budget.spend(10)).count();
  }
}
