package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.benchmarks.Surroundings;
import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report's page, in Chromium where there is one. */
class SpikeReportPageTest {
  private static final Pattern FOUND = Pattern.compile("<title>FOUND(.*?)</title>");

  @TempDir Path directory;

  @Test
  void conclusion_comparesTheBestOfOursWithTheNaive() {
    assertThat(
            report(SpikeContender.NAIVE, SpikeContender.POOL, SpikeContender.REMOTE).conclusion())
        .isEqualTo(
            "Of 300 logins a second in the spike, pool + remote function answered 40 with 200,"
                + " within 900 ms (p99), and health checks within 9 ms; the naive service answered"
                + " 10, and health checks within 9 ms.");
    assertThat(report(SpikeContender.POOL).conclusion())
        .endsWith(
            "pool only answered 20 with 200, within 900 ms (p99), and health checks within 9 ms.");
    assertThat(report(SpikeContender.NAIVE).conclusion()).startsWith("No contender of ours");
  }

  @ParameterizedTest
  @CsvSource({"360, light", "360, dark", "1200, light", "1200, dark"})
  void page_fitsAndAxeFindsNothing(int width, String scheme) throws Exception {
    Optional<Path> chromium = chromium();
    if (chromium.isEmpty()) {
      assertThat(System.getenv("SPILLWAY_PROGRAMS"))
          .as("chromium is needed")
          .isNotEqualTo("required");
      Assumptions.abort("the page is not tested: that needs chromium");
    }
    String html = report(SpikeContender.NAIVE, SpikeContender.POOL, SpikeContender.REMOTE).html();
    Files.writeString(directory.resolve("report.html"), html.replace("light dark;", scheme + ";"));
    try (InputStream axe = getClass().getResourceAsStream("/axe.min.js")) {
      Files.write(directory.resolve("axe.js"), axe.readAllBytes());
    }
    // A frame has the width of a phone, which a headless window has not.
    Path page =
        Files.writeString(
            directory.resolve("page.html"),
            """
            <!doctype html><html lang="en"><title>waiting</title>
            <iframe id="it" title="it" src="report.html" width="%d" height="740" style="border:0"></iframe>
            <script>
            onload = async () => {
              const inner = document.getElementById('it').contentWindow;
              const script = inner.document.createElement('script');
              script.src = 'axe.js';
              script.onload = async () => {
                const found = (await inner.axe.run()).violations.map(
                  one => one.id + ' ' + one.nodes[0].html);
                const wide = inner.document.documentElement.scrollWidth - inner.innerWidth;
                if (wide > 0) { found.push(wide + ' pixels too wide'); }
                for (const text of inner.document.querySelectorAll('svg text')) {
                  const size = text.getBoundingClientRect().height;
                  if (size > 0 && size < 9) { found.push(text.textContent + ' is ' + size + ' high'); break; }
                }
                document.title = 'FOUND' + JSON.stringify(found);
              };
              inner.document.head.append(script);
            };
            </script></html>
            """
                .formatted(width));
    Process browser =
        new ProcessBuilder(
                chromium.orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--allow-file-access-from-files",
                "--user-data-dir=" + directory.resolve("profile"),
                "--virtual-time-budget=30000",
                "--dump-dom",
                page.toUri().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String dom;
    try {
      dom = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      browser.destroy();
      browser.waitFor();
    }
    assertThat(FOUND.matcher(dom).results().map(found -> found.group(1)).toList())
        .containsExactly("[]");
  }

  private static Optional<Path> chromium() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .flatMap(at -> Stream.of(Path.of(at, "chromium"), Path.of(at, "google-chrome")))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static SpikeReport report(SpikeContender... contenders) {
    return new SpikeReport(
        SpikeOptions.parse("--quick"),
        SpikeOptions.parse("--quick").shape(60),
        Stream.of(contenders).map(SpikeReportPageTest::result).toList(),
        List.of(),
        new SpikeBudget(Duration.ofSeconds(168), () -> 0),
        new Surroundings("abc1234", "a machine", 2, "a JDK"),
        Optional.empty());
  }

  private static SpikeResult result(SpikeContender contender) {
    Map<String, Double> figures = new LinkedHashMap<>();
    double answered =
        switch (contender) {
          case NAIVE -> 10;
          case POOL -> 20;
          default -> 40;
        };
    figures.put(SpikeRun.GRANTED_IN_SPIKE, answered);
    figures.put(SpikeRun.P99, 900.0);
    figures.put(SpikeRun.HEALTH_P99, 9.0);
    List<SpikeResult.Second> seconds = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      seconds.add(new SpikeResult.Second(300, 40, 200, 0, 300, 900, 9, 20, 20, 2));
    }
    return new SpikeResult(contender, seconds, figures, Optional.empty(), List.of());
  }
}
