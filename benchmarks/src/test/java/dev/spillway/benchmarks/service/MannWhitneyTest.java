package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MannWhitneyTest {
  @Test
  void equalSamples_areNotToldApart() {
    assertThat(MannWhitney.of(List.of(1.0, 2.0, 3.0), List.of(3.0, 1.0, 2.0)))
        .isEqualTo(new MannWhitney(0.5, 0));
  }

  /** The tortoise and the hare: u is 25 of 36 pairs, its mean 18, its deviation the root of 39. */
  @Test
  void workedExample() {
    List<Double> hares = List.of(2.0, 3.0, 4.0, 5.0, 6.0, 12.0);
    List<Double> tortoises = List.of(1.0, 7.0, 8.0, 9.0, 10.0, 11.0);
    MannWhitney found = MannWhitney.of(hares, tortoises);
    assertThat(found.auc()).isEqualTo(25.0 / 36);
    assertThat(found.z()).isCloseTo((25 - 18) / Math.sqrt(39), within(1e-12));
  }

  @Test
  void aShiftBeyondTheSpread_isSeen() {
    List<Double> first = IntStream.range(0, 500).mapToObj(i -> i / 500.0).toList();
    List<Double> second = first.stream().map(value -> value + 0.2).toList();
    MannWhitney found = MannWhitney.of(first, second);
    assertThat(found.auc()).isCloseTo(0.68, within(0.01));
    assertThat(found.z()).isGreaterThan(9);
  }
}
