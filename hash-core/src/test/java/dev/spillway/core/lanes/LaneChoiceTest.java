package dev.spillway.core.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LaneChoiceTest {
  private static final int[] CANDIDATES = {2, 3, 4};

  @Test
  void theMostHashesForTheCpu_isChosen() {
    assertThat(LaneChoice.of(CANDIDATES, new double[] {100, 120, 130}).lanes()).isEqualTo(4);
    assertThat(LaneChoice.of(CANDIDATES, new double[] {100, 120, 90}).lanes()).isEqualTo(3);
    assertThat(LaneChoice.of(CANDIDATES, new double[] {100, 80, 70}).lanes()).isEqualTo(2);
  }

  @Test
  void gainTooSmallForTheLatencyItCosts_isLeft() {
    assertThat(LaneChoice.of(CANDIDATES, new double[] {100, 102, 102}).lanes()).isEqualTo(2);
    assertThat(LaneChoice.of(CANDIDATES, new double[] {100, 120, 122}).lanes()).isEqualTo(3);
  }

  @Test
  void theReason_namesTheFigures() {
    assertThat(LaneChoice.of(CANDIDATES, new double[] {100, 125, 90}).why())
        .contains("3 for each thread", "2 lanes 1.00", "3 lanes 1.25", "4 lanes 0.90");
  }

  @Test
  void measured_isOneOfTheCandidates() {
    assertThat(LaneChoice.measured().lanes()).isBetween(2, 4);
  }
}
