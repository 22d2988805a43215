package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of {@code ./spillway run} in a real browser. */
@Timeout(180)
class DashboardIT {
  private static final Path PICTURE = Path.of("target", "dashboard.png");

  @TempDir static Path data;
  private static Browser browser;
  private static Running service;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start();
    service = Running.start(data);
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> service.login("demo", "demo-password").statusCode() == 200);
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (service != null) {
      service.close();
    }
  }

  @BeforeEach
  void open() {
    browser.console();
    browser.desk();
    browser.scheme("light");
    browser.open(service.uri("/q/dashboard"));
    browser.awaitText("#state", "Live"::equals);
  }

  @Test
  void underLoad_everyFigureMoves_andThePageIsQuiet() throws Exception {
    browser.requests();
    browser.open(service.uri("/q/dashboard"));
    browser.awaitText("#used", "0"::equals);
    double before = browser.number("logins-all");
    await().until(() -> browser.count("#lanes i") == Integer.parseInt(browser.text("#permits")));
    AtomicBoolean enough = new AtomicBoolean();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<?>[] load = new CompletableFuture<?>[24];
      for (int i = 0; i < load.length; i++) {
        load[i] =
            CompletableFuture.runAsync(
                () -> {
                  while (!enough.get()) {
                    loginOrPause();
                  }
                },
                clients);
      }
      try {
        browser.awaitText("#used", used -> Integer.parseInt(used) > 0);
        browser.awaitText("#targets li p span:last-child", words -> !words.startsWith("0 of"));
        browser.awaitText("#hashes-local", DashboardIT::positive);
        browser.awaitText("#hashes-spilled", DashboardIT::positive);
        browser.awaitText("#logins-granted", DashboardIT::positive);
        browser.awaitText("#p99", words -> !words.equals("–"));
        browser.awaitText("#average", DashboardIT::positive);
        await().atMost(Duration.ofSeconds(20)).until(() -> browser.number("logins-all") > before);
        await().until(() -> browser.count("#lanes i.busy") > 0);
        browser.awaitText(
            "#verdict",
            words -> words.matches("All logins answered|.* logins a second refused: .*"));
        assertThat(browser.text("#chart-top")).matches("\\d+");
        browser.screenshot(PICTURE);
      } finally {
        enough.set(true);
      }
      CompletableFuture.allOf(load).join();
    }
    Burst.assertWhole(service);
    browser.awaitText("#used", "0"::equals);
    browser.awaitText("#verdict", "No logins in the last 10 seconds"::equals);

    assertThat(browser.console()).isEmpty();
    assertThat(browser.requests())
        .as("requests of the page")
        .hasSizeGreaterThan(3)
        .allMatch(asked -> asked.getPort() == service.port());
  }

  @Test
  void lightAndDark_onAPhoneToo_itIsAccessible() {
    for (String scheme : new String[] {"light", "dark"}) {
      browser.scheme(scheme);
      browser.assertAccessible();
    }
    browser.phone();
    browser.assertNoHorizontalScroll();
    browser.assertAccessible();
  }

  @Test
  void theGrafanaDashboard_asksForWhatThereIs(@TempDir Path directory) throws Exception {
    GrafanaDashboard dashboard = GrafanaDashboard.read();
    // Calls of functions are counted from the first one on.
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              Burst.of(service, 24, 1, () -> {});
              return service.metric("spillway_spill_call_seconds_count", "computed") > 0;
            });
    String exported = service.get("/q/metrics").body();

    assertThat(dashboard.metrics())
        .hasSizeGreaterThan(20)
        .allMatch(
            name -> exported.contains("\n" + name + "{") || exported.contains("\n" + name + " "));
    try (Prometheus prometheus = Prometheus.reading(service.port(), directory)) {
      for (String expression : dashboard.expressions()) {
        await(expression)
            .atMost(Duration.ofSeconds(60))
            .until(() -> prometheus.series(expression) > 0);
      }
    }
  }

  /** A refused client returns later: refusals alone can use up two cores. */
  private static void loginOrPause() {
    try {
      if (service.login("demo", "demo-password").statusCode() == 503) {
        Thread.sleep(Duration.ofMillis(200));
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean positive(String number) {
    return Double.parseDouble(number) > 0;
  }
}
