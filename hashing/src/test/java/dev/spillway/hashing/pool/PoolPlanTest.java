package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.SpringDigestEngine;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolPlanTest {
  private static final OptionalInt UNSET = OptionalInt.empty();

  @Test
  void loweredThreads_haveEveryCore() {
    PoolPlan plan = PoolPlan.of(8, UNSET, HashPriority.LOWERED, true);
    assertThat(plan.threads()).isEqualTo(8);
    assertThat(plan.priority()).isEqualTo(HashPriority.LOWERED);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 2", "64, 63"})
  void normalThreads_leaveOneCoreIfThereIsMoreThanOne(int cores, int threads) {
    PoolPlan plan = PoolPlan.of(cores, UNSET, HashPriority.NORMAL, true);
    assertThat(plan.threads()).isEqualTo(threads);
    assertThat(plan.priority()).isEqualTo(HashPriority.NORMAL);
  }

  @Test
  void priorityThatCannotBeHad_isNormalAndTheLogSaysSo() {
    PoolPlan plan = PoolPlan.of(4, UNSET, HashPriority.LOWERED, false);
    assertThat(plan.threads()).isEqualTo(3);
    assertThat(plan.priority()).isEqualTo(HashPriority.NORMAL);
    assertThat(plan.why()).contains("lowered cannot be had");
  }

  @Test
  void configuredThreads_areTakenAsTheyAre() {
    PoolPlan plan = PoolPlan.of(2, OptionalInt.of(7), HashPriority.LOWERED, true);
    assertThat(plan.threads()).isEqualTo(7);
    assertThat(plan.priority()).isEqualTo(HashPriority.LOWERED);
    plan = PoolPlan.of(2, OptionalInt.of(7), HashPriority.LOWERED, false);
    assertThat(plan.threads()).isEqualTo(7);
    assertThat(plan.priority()).isEqualTo(HashPriority.NORMAL);
    assertThat(plan.why()).contains("as configured").contains("lowered cannot be had");
  }

  @Test
  void description_saysWhatRuns() {
    assertThat(PoolPlan.of(4, UNSET, HashPriority.NORMAL, true).describe(new SpringDigestEngine()))
        .isEqualTo(
            "3 hash(es) at once: 3 thread(s) (one of 4 core(s) left for everything else) of 1"
                + " lane(s), engine spring, priority normal");
  }
}
