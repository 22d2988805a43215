package dev.spillway.console.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsTextTest {
  /** Both formats the service writes; every line of them is a sample or a comment. */
  @ParameterizedTest
  @ValueSource(strings = {"burst", "openmetrics"})
  void recordedTexts_areReadToTheLastLine(String name) {
    String text = Recorded.text(name);
    long lines = text.lines().filter(line -> !line.startsWith("#")).count();
    assertThat(MetricsText.parse(text)).hasSize((int) lines).hasSizeGreaterThan(150);
  }

  @Test
  void sample_isNameLabelsAndValue() {
    assertThat(MetricsText.parse("a_total{x=\"1\",y=\"2\",} 3.5\nb 4\n"))
        .containsExactly(
            new Sample("a_total", Map.of("x", "1", "y", "2"), 3.5), new Sample("b", Map.of(), 4));
  }

  /** Of Prometheus's own description of the format. */
  @Test
  void everythingTheFormatAllows_isRead() {
    List<Sample> samples =
        MetricsText.parse(
            """
            # HELP http_requests_total The total number of HTTP requests.
            # TYPE http_requests_total counter
            http_requests_total{method="post",code="200"} 1027 1395066363000

            # Escaping in label values:
            msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9
            metric_without_timestamp_and_labels 12.47
            something_weird{problem="division by zero, {really}"} +Inf -3982045
            rpc:seconds { quantile = "0.01" }\t3102 # {trace="1"} 0.5 1.6
            none NaN
            """);
    assertThat(samples).hasSize(6);
    assertThat(samples.get(0).value()).isEqualTo(1027);
    assertThat(samples.get(1).labels())
        .containsEntry("path", "C:\\DIR\\FILE.TXT")
        .containsEntry("error", "Cannot find file:\n\"FILE.TXT\"");
    assertThat(samples.get(3).value()).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(samples.get(3).labels()).containsEntry("problem", "division by zero, {really}");
    assertThat(samples.get(4))
        .isEqualTo(new Sample("rpc:seconds", Map.of("quantile", "0.01"), 3102));
    assertThat(samples.get(5).value()).isNaN();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>",
        "name",
        "name ",
        "name x",
        "name{ 1",
        "name{a} 1",
        "name{a=1} 1",
        "name{a=\"1} 1",
        "name{a=\"1\" b=\"2\"} 1",
        "{a=\"1\"} 1",
        "n\u00e4me 1"
      })
  void anythingElse_isRefused(String line) {
    assertThatThrownBy(() -> MetricsText.parse("a 1\n" + line + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no line of metrics");
  }
}
