package dev.spillway.benchmarks.line;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time is simulated: the same seed gives the same figures on every machine. */
class LineSimulationTest {
  private static final double MINUTE = 60_000;
  private static final Discipline BOUNDED = new Discipline.Bounded(500);
  private static final Discipline PUBLISHED = new Discipline.ControlledDelay(100, 5);

  @Test
  void sameSeed_givesTheSameFigures() {
    assertThat(run(PUBLISHED, Load.steady(3))).isEqualTo(run(PUBLISHED, Load.steady(3)));
  }

  @Test
  void halfOfThePeak_isServedWithoutRefusals() {
    LineSimulation.Result result = run(BOUNDED, Load.steady(0.5));
    assertThat(result.refusedP50()).isNaN();
    assertThat(result.servedPerSecond()).isGreaterThan(0.98 * result.offeredPerSecond());
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 10, 100})
  void overload_keepsThePoolBusyUnderEither(double times) {
    for (Discipline discipline : new Discipline[] {BOUNDED, PUBLISHED}) {
      assertThat(run(discipline, Load.steady(times)).servedPerSecond())
          .as("%s, %s x", discipline.label(), times)
          .isGreaterThan(0.97 * LineSimulation.PEAK_PER_SECOND);
    }
  }

  @Test
  void bound_isHowLongAnybodyWaitsAndOthersAreRefusedAtOnce() {
    LineSimulation.Result result = run(BOUNDED, Load.steady(10));
    assertThat(result.refusedP99()).isZero();
    assertThat(result.servedP99()).isLessThan(500 + 2 * LineSimulation.SERVICE);
  }

  @Test
  void standingLine_isRefusedAfterTheSmallTargetAndServedNewestFirst() {
    LineSimulation.Result result = run(PUBLISHED, Load.steady(100));
    assertThat(result.refusedP99()).isEqualTo(5);
    assertThat(result.servedP99()).isLessThan(5 + 2 * LineSimulation.SERVICE);
  }

  /** What a burst brings is work for later under a bound, and refused under a small target. */
  @Test
  void bursts_areServedMoreUnderTheBound() {
    Load bursts = new Load("bursts", _ -> 0.5, 200, 10_000, _ -> 1);
    assertThat(run(BOUNDED, bursts).servedPerSecond())
        .isGreaterThan(run(PUBLISHED, bursts).servedPerSecond());
  }

  private static LineSimulation.Result run(Discipline discipline, Load load) {
    return new LineSimulation(discipline, load, 1).run(MINUTE);
  }
}
