package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.benchmarks.Surroundings;
import dev.spillway.benchmarks.overload.Outcome;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import picocli.CommandLine;

class OverloadReportTest {
  private static final double PEAK = 100;

  @Test
  void json_isOneLineWithEveryStep() throws Exception {
    String json = report(step(1, 95, 0), step(10, 80, 900)).json();
    assertThat(json).doesNotContain("\n");
    JsonNode read = new ObjectMapper().readTree(json);
    assertThat(read.get("commit").asText()).isEqualTo("abc1234");
    assertThat(read.get("peak").asDouble()).isEqualTo(PEAK);
    JsonNode step = read.get("steps").get(1);
    assertThat(step.get("times").asDouble()).isEqualTo(10);
    assertThat(step.get("users").get("grantedPerSecond").asDouble()).isEqualTo(80);
    assertThat(step.get("users").get("statuses").get("503").get("count").asInt()).isEqualTo(1800);
    assertThat(step.get("healthP99Millis").isNull()).as("no probe came").isTrue();
  }

  @Test
  void table_hasARowForEachStep() {
    assertThat(report(step(1, 95, 0), step(10, 80, 900)).table())
        .contains("peak 100 logins/s", "abc1234")
        .containsPattern("\\| pool only \\| warm \\| 0 \\| 100 \\(1\\) \\| 95.0 \\| 0.95 \\|")
        .containsPattern("\\| pool only \\| warm \\| 0 \\| 1000 \\(10\\) \\| 80.0 \\| 0.80 \\|")
        .doesNotContain("(!)");
  }

  /** All CPU beside hashing, in the two seconds: 0.5 s for 1800 refusals. */
  @Test
  void refusal_costsWhatIsNotHashing() {
    assertThat(step(10, 80, 900).refusalMicros()).isBetween(277.0, 278.0);
    assertThat(step(1, 95, 0).refusalMicros()).as("none was refused").isNaN();
  }

  @Test
  void loadThatFellBehind_isMarked() {
    Outcome late = new Outcome(step(1, 95, 0).outcome().traffic(), 80, 200, 0, 10, 0.5, 2);
    OverloadStep step = step(1, late);
    assertThat(report(step).table()).contains("(!) 100", "(!) the load fell behind");
    assertThat(report(step).json()).contains("\"generatorBehind\":true");
  }

  @Test
  void picture_isASvgWithALineForEachContender() throws Exception {
    String svg = new OverloadPicture(PEAK, List.of(step(1, 95, 0), step(10, 80, 900))).svg();
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(document.getElementsByTagName("g").getLength()).as("panels").isEqualTo(4);
    assertThat(svg)
        .contains("pool only, warm", "class=\"line pool\"", "class=\"line pool p50\"")
        .doesNotContain("NaN", "Infinity");
  }

  private static OverloadReport report(OverloadStep... steps) {
    OverloadOptions options = new OverloadOptions();
    new CommandLine(options).parseArgs();
    return new OverloadReport(
        options, PEAK, List.of(steps), new Surroundings("abc1234", "a machine", 2, "a JDK"));
  }

  private static OverloadStep step(double times, int granted, int shed) {
    Outcome outcome =
        new Outcome(
            List.of(
                new Outcome.Of(
                    "users",
                    (int) (2 * times * PEAK),
                    List.of(
                        new Outcome.Answers(200, 2 * granted, 2 * granted, 500, 900, 950),
                        new Outcome.Answers(503, 2 * shed, 2 * shed, 1, 2, 3)),
                    List.of(granted, granted))),
            1,
            2,
            0,
            10,
            0.1,
            2);
    return step(times, outcome);
  }

  private static OverloadStep step(double times, Outcome outcome) {
    return new OverloadStep(
        OverloadContender.POOL,
        OverloadRun.CURVE,
        OverloadRun.WARM,
        0,
        times,
        outcome,
        List.of(),
        new Window(0, Duration.ofSeconds(2).toNanos()),
        new Usage(
            Duration.ofSeconds(2).toNanos(),
            Duration.ofSeconds(3),
            Duration.ofMillis(3500),
            Duration.ofMillis(100)),
        Optional.empty());
  }
}
