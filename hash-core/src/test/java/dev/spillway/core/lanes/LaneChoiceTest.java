package dev.spillway.core.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.lanes.LaneChoice.Finding;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LaneChoiceTest {
  @Test
  void theMostHashesForTheCpu_isChosen() {
    assertThat(LaneChoice.of(4, Map.of(2, 0.6, 3, 0.8, 5, 1.08)).lanes()).isEqualTo(5);
    assertThat(LaneChoice.of(4, Map.of(2, 0.9, 3, 1.1, 5, 1.05)).lanes()).isEqualTo(3);
    assertThat(LaneChoice.of(2, Map.of(3, 1.2, 4, 1.4, 5, 1.3)).lanes()).isEqualTo(4);
  }

  @Test
  void gainTooSmallForTheLatencyItCosts_isLeft() {
    Finding finding = LaneChoice.of(4, Map.of(2, 0.6, 3, 0.8, 5, 1.02));

    assertThat(finding.lanes()).isEqualTo(4);
    assertThat(finding.changed()).isFalse();
  }

  /** Where fewer lanes are as good as those in use, within the noise, nothing goes to and fro. */
  @Test
  void fewerLanes_needOnlyBeFaster() {
    assertThat(LaneChoice.of(5, Map.of(2, 0.6, 3, 0.8, 4, 1.01)).lanes()).isEqualTo(4);
    assertThat(LaneChoice.of(5, Map.of(2, 0.6, 3, 0.8, 4, 0.98)).lanes()).isEqualTo(5);
    assertThat(LaneChoice.of(4, Map.of(2, 0.6, 3, 0.8, 5, 1.01)).lanes()).isEqualTo(4);
  }

  @Test
  void theReason_namesTheFigures() {
    assertThat(LaneChoice.of(2, Map.of(3, 1.25, 4, 0.9)).why())
        .contains("3 for each thread", "against 2 lanes", "3 1.25", "4 0.90");
  }

  @Test
  void measured_isOneOfTheCandidates() {
    assertThat(LaneChoice.measured(1).lanes()).isBetween(2, 5);
  }

  /** A login comes in the middle of each pair: the pair ends within a chunk, and never counts. */
  @Test
  void disturbedPairs_countForNothing() {
    LaneChoice choice = new LaneChoice(4, 1, () -> {});
    for (int pair = 0; pair < 60; pair++) {
      AtomicInteger looks = new AtomicInteger();

      Optional<Finding> finding = choice.pair(() -> looks.incrementAndGet() > 10);

      assertThat(finding).isEmpty();
    }
  }
}
