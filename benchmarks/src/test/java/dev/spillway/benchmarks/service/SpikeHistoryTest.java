package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.benchmarks.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report of today is understood by a run of tomorrow, and so is one of yesterday. */
class SpikeHistoryTest {
  /** Of before the end of a search was told. */
  private static final Path OLD = Path.of("results", "2026-11-30-spike.json");

  private static final SpikeOptions QUICK = SpikeOptions.parse("--quick");

  @TempDir private Path directory;

  @Test
  void whySearchesEnded_isReadBack() throws Exception {
    SpikeHistory read =
        read(
            report(
                QUICK,
                List.of(
                    result(SpikeContender.NAIVE, 1200, Optional.of(SearchEnd.FOUND)),
                    result(SpikeContender.POOL, 2400, Optional.of(SearchEnd.TIME_OVER)),
                    result(SpikeContender.REMOTE, Double.NaN, Optional.empty())),
                Optional.empty()));
    assertThat(read.search(SpikeContender.NAIVE)).contains(SearchEnd.FOUND);
    assertThat(read.search(SpikeContender.POOL)).contains(SearchEnd.TIME_OVER);
    assertThat(read.search(SpikeContender.REMOTE)).as("there was none").isEmpty();
    assertThat(read.search(SpikeContender.LOCAL)).as("was not there").isEmpty();
    assertThat(read.figure(SpikeContender.POOL, SpikeRun.MAX_PER_MINUTE)).hasValue(2400);
    assertThat(read.figure(SpikeContender.REMOTE, SpikeRun.MAX_PER_MINUTE)).isEmpty();
  }

  @Test
  void comparison_tellsHowEitherSearchEnded() throws Exception {
    SpikeResult before = result(SpikeContender.POOL, 1000, Optional.of(SearchEnd.TIME_OVER));
    SpikeResult now = result(SpikeContender.POOL, 3000, Optional.of(SearchEnd.FOUND));
    SpikeHistory then = read(report(QUICK, List.of(before), Optional.empty()));

    SpikeReport report = report(QUICK, List.of(now), Optional.of(then));

    assertThat(report.text())
        .containsPattern("search for the most +\\| +found \\|")
        .containsPattern("search for the most, then and now +\\| +time over / found \\|");
    assertThat(report.html()).contains("<td>time over / found</td>");
  }

  /** It said 0.19 times the naive service of one whose time was over. */
  @Test
  void searchThatDidNotEnd_givesNoFigureAndNoRatio() {
    String text =
        report(
                QUICK,
                List.of(
                    result(SpikeContender.NAIVE, 1200, Optional.of(SearchEnd.FOUND)),
                    result(SpikeContender.POOL, 229, Optional.of(SearchEnd.TIME_OVER))),
                Optional.empty())
            .text();
    assertThat(text)
        .doesNotContain("229")
        .containsPattern("p99 < 1 s, x naive +\\| +1 \\| +search did not end \\|")
        .containsPattern("p99 < 1 s +\\| +1,200 \\| +search did not end \\|");
  }

  @Test
  void reportOfBefore_isComparedWithAllTheSame() {
    SpikeHistory old = SpikeHistory.read(Optional.of(OLD)).orElseThrow();
    assertThat(old.search(SpikeContender.POOL)).isEmpty();
    assertThat(old.figure(SpikeContender.POOL, SpikeRun.MAX_PER_MINUTE)).isPresent();

    SpikeResult now = result(SpikeContender.POOL, 3000, Optional.of(SearchEnd.FOUND));

    assertThat(report(QUICK, List.of(now), Optional.of(old)).text())
        .containsPattern("search for the most, then and now +\\| +- / found \\|");
  }

  @Test
  void runThatDoesNotSearch_saysNothingOfIt() {
    SpikeOptions minute = SpikeOptions.parse("--minute");
    SpikeReport report =
        report(
            minute,
            List.of(result(SpikeContender.POOL, Double.NaN, Optional.empty())),
            Optional.empty());
    assertThat(report.text()).doesNotContain("search");
    assertThat(report.json()).doesNotContain("search");
  }

  @Test
  void noReport_isRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("none.json"), "{\"results\":7}");
    assertThatThrownBy(() -> SpikeHistory.read(Optional.of(file)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no report");
  }

  private SpikeHistory read(SpikeReport report) throws Exception {
    Path file = Files.writeString(directory.resolve("report.json"), report.json());
    return SpikeHistory.read(Optional.of(file)).orElseThrow();
  }

  private static SpikeReport report(
      SpikeOptions options, List<SpikeResult> results, Optional<SpikeHistory> before) {
    return new SpikeReport(
        options,
        options.shape(30),
        results,
        List.of(),
        new SpikeBudget(Duration.ofSeconds(168), () -> 0),
        new Surroundings("abc1234", "a machine", 2, "a JDK"),
        before);
  }

  private static SpikeResult result(
      SpikeContender contender, double mostPerMinute, Optional<SearchEnd> search) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(SpikeRun.MAX_PER_MINUTE, mostPerMinute);
    return new SpikeResult(contender, List.of(), figures, search, List.of());
  }
}
