package dev.spillway.console.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ScrapeTest {
  private static final Scrape BEFORE = Scrape.parse("process_start_time_seconds 100\nc 10\n");

  @Test
  void sums_areOverTheSeriesWithTheLabels() {
    Scrape scrape =
        Scrape.parse("c{a=\"1\",b=\"1\"} 1\nc{a=\"1\",b=\"2\"} 2\nc{a=\"2\",b=\"1\"} 4\n");
    assertThat(scrape.value("c")).hasValue(7);
    assertThat(scrape.value("d")).isEmpty();
    assertThat(scrape.sum("c", Map.of("a", "1"))).isEqualTo(3);
    assertThat(scrape.sum("c", Map.of("a", "3"))).isZero();
    assertThat(scrape.by("a", "c", Map.of()))
        .containsExactly(Map.entry("1", 3.0), Map.entry("2", 4.0));
    assertThat(scrape.by("b", "c", Map.of("a", "2"))).containsExactly(Map.entry("1", 4.0));
  }

  @Test
  void growth_isTheDifference() {
    Scrape now = Scrape.parse("process_start_time_seconds 100\nc 15\nfresh 3\n");
    assertThat(now.growthSince(BEFORE).value("c")).hasValue(5);
    assertThat(now.growthSince(BEFORE).value("fresh")).as("new since").hasValue(3);
  }

  /** It may have counted past the old value by now: only the start tells. */
  @Test
  void growthAcrossARestart_isFromZero() {
    Scrape now = Scrape.parse("process_start_time_seconds 200\nc 15\n");
    assertThat(now.restartedSince(BEFORE)).isTrue();
    assertThat(now.growthSince(BEFORE).value("c")).hasValue(15);
  }

  @Test
  void counterThatFell_hasGrownFromZero() {
    Scrape now = Scrape.parse("c 4\n");
    assertThat(now.restartedSince(BEFORE)).as("cannot be told").isFalse();
    assertThat(now.growthSince(BEFORE).value("c")).hasValue(4);
  }

  @Test
  void quantiles_areEvenlySpreadWithinABucket() {
    Histogram histogram =
        Scrape.parse(
                """
                t_bucket{le="0.1"} 0
                t_bucket{le="0.2"} 80
                t_bucket{le="0.4"} 100
                t_bucket{le="+Inf"} 100
                """)
            .histogram("t", Map.of());
    assertThat(histogram.count()).isEqualTo(100);
    assertThat(histogram.quantile(0.4).getAsDouble()).isCloseTo(0.15, within(1e-9));
    assertThat(histogram.quantile(0.8).getAsDouble()).isCloseTo(0.2, within(1e-9));
    assertThat(histogram.quantile(0.9).getAsDouble()).isCloseTo(0.3, within(1e-9));
    assertThat(histogram.quantile(1).getAsDouble()).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void quantileBeyondTheLastBound_isThatBound() {
    Histogram histogram =
        Scrape.parse("t_bucket{le=\"1\"} 1\nt_bucket{le=\"5\"} 2\nt_bucket{le=\"+Inf\"} 4\n")
            .histogram("t", Map.of());
    assertThat(histogram.quantile(0.99)).hasValue(5);
  }

  @Test
  void nothingCounted_hasNoQuantile() {
    assertThat(Scrape.parse("").histogram("t", Map.of()).quantile(0.5)).isEmpty();
    assertThat(
            Scrape.parse("t_bucket{le=\"1\"} 0\nt_bucket{le=\"+Inf\"} 0\n")
                .histogram("t", Map.of())
                .quantile(0.5))
        .isEmpty();
  }

  @Test
  void histogramsOfTheSameBounds_add() {
    Scrape scrape =
        Scrape.parse(
            "t_bucket{s=\"1\",le=\"1\"} 3\nt_bucket{s=\"1\",le=\"+Inf\"} 3\n"
                + "t_bucket{s=\"2\",le=\"1\"} 0\nt_bucket{s=\"2\",le=\"+Inf\"} 1\n");
    Histogram both =
        scrape.histogram("t", Map.of("s", "1")).plus(scrape.histogram("t", Map.of("s", "2")));
    assertThat(both.count()).isEqualTo(4).isEqualTo(scrape.histogram("t", Map.of()).count());
  }
}
