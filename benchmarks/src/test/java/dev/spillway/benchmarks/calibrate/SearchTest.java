package dev.spillway.benchmarks.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SearchTest {
  private final List<Integer> measured = new ArrayList<>();

  /** A machine on which a hash of cost 10 takes so long on each of two cores. */
  private Search search(double millisAtTen, long latencyMillis, double hashesPerSecond) {
    Machine machine =
        cost -> {
          measured.add(cost);
          double millis = millisAtTen * Math.pow(2, cost - 10);
          Duration hash = Duration.ofNanos((long) (millis * 1e6));
          return new Machine.Figures(cost, hash, hash, 2_000 / millis);
        };
    return new Search(machine, Duration.ofMillis(latencyMillis), hashesPerSecond, figures -> {});
  }

  @Test
  void fastMachine_goesUp() {
    assertThat(search(10, 250, 1).best().orElseThrow().cost()).isEqualTo(14);
    assertThat(measured).containsExactly(10, 11, 12, 13, 14, 15);
  }

  @Test
  void slowMachine_goesDown() {
    assertThat(search(1_000, 250, 1).best().orElseThrow().cost()).isEqualTo(8);
    assertThat(measured).containsExactly(10, 9, 8);
  }

  @Test
  void throughput_bindsToo() {
    assertThat(search(50, 10_000, 30).best().orElseThrow().cost()).isEqualTo(10);
    assertThat(search(50, 10_000, 300).best().orElseThrow().cost()).isEqualTo(7);
  }

  @Test
  void hopelessMachine_isToldSo() {
    assertThat(search(1_000_000, 250, 1).best()).isEmpty();
    assertThat(measured).endsWith(Search.LOWEST);
  }

  @Test
  void boundlessMachine_endsAtTheHighest() {
    assertThat(search(0.001, 250, 1).best().orElseThrow().cost()).isEqualTo(Search.HIGHEST);
  }
}
