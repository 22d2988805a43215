package dev.spillway.console.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolModelTest {
  @Test
  void noLoad_findsEveryPermitFree() {
    assertThat(new PoolModel(2, 12).refused(0)).isZero();
    assertThat(new PoolModel(2, 12).refused(0.1)).isLessThan(1e-6);
  }

  /**
   * docs/performance.md, "Two cores: whole logins": two cores that were never without work. The
   * load generator had its part of them.
   */
  @ParameterizedTest
  @CsvSource({"10, 83.9", "12, 23.2"})
  void figures_addUpToWholeLogins(int cost, double measured) {
    double hash = 1 / Measured.hashesPerSecond(Measured.LANES, cost);
    double here = 2 / (hash + PoolModel.restOfLogins(1));
    assertThat(here).isBetween(measured, measured * 1.1);
  }

  /**
   * The same, "Every core": ten times the load of two cores, of which they answered 18.0 a second.
   */
  @Test
  void overload_leavesTheHashesWhatWasMeasured() {
    double here = 226.7 * (1 - new PoolModel(2, 12).refused(226.7));
    assertThat(here).isBetween(18.0 * 0.85, 18.0 * 1.15);
  }

  /** The formula against a simulation of the same pool, arrival by arrival. */
  @ParameterizedTest
  @CsvSource({"1, 12, 8", "2, 12, 20", "2, 10, 70", "5, 12, 80"})
  void share_isThatOfASimulation(int vcpus, int cost, double loginsPerSecond) {
    Random random = new Random(7);
    double left = vcpus - PoolModel.restOfLogins(loginsPerSecond);
    int arrivals = 300_000;
    int refused = 0;
    int running = 0;
    for (int arrived = 0; arrived < arrivals; ) {
      double ends = 0;
      for (int thread = 0; thread < vcpus; thread++) {
        int lanes = running / vcpus + (thread < running % vcpus ? 1 : 0);
        ends += Measured.hashesPerSecond(lanes, cost) * left / vcpus;
      }
      if (random.nextDouble() * (ends + loginsPerSecond) < ends) {
        running--;
      } else {
        arrived++;
        if (running == vcpus * Measured.LANES) {
          refused++;
        } else {
          running++;
        }
      }
    }
    assertThat(new PoolModel(vcpus, cost).refused(loginsPerSecond))
        .isCloseTo((double) refused / arrivals, within(0.01));
  }

  @Test
  void moreLoad_isRefusedMore_andMoreCoresRefuseLess() {
    double last = 0;
    for (double load = 1; load < 500; load *= 1.5) {
      double share = new PoolModel(4, 12).refused(load);
      assertThat(share).isBetween(last, 1.0);
      assertThat(new PoolModel(5, 12).refused(load)).isLessThanOrEqualTo(share);
      last = share;
    }
  }

  /** 3.2 ms each: 700 logins a second leave nothing of two cores. */
  @Test
  void loadThatLeavesNoCpuForHashes_isRefusedWhole() {
    assertThat(new PoolModel(2, 4).refused(700)).isEqualTo(1);
  }

  @Test
  void noCores_areNoPool() {
    assertThatThrownBy(() -> new PoolModel(0, 12)).isInstanceOf(IllegalArgumentException.class);
  }
}
