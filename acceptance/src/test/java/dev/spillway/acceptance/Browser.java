package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.deque.html.axecore.selenium.AxeBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.logging.Level;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium without a window, and what it was seen to do. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Skips the test, and says why, where there is none, unless {@link Programs} must be there. */
  static Browser start() {
    Optional<Path> chromium = Programs.find("chromium", "chromium-browser", "google-chrome");
    Optional<Path> chromedriver = Programs.find("chromedriver");
    if (chromium.isEmpty() || chromedriver.isEmpty()) {
      Assumptions.abort(
          Programs.missing("the pages are not tested: that needs chromium and chromedriver"));
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.orElseThrow().toFile());
    // No sandbox: it refuses to work for root, and in many containers. The pages are our own.
    options.addArguments(
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    return new Browser(
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.orElseThrow().toFile())
                .build(),
            options));
  }

  void open(URI page) {
    driver.get(page.toString());
  }

  WebElement byId(String id) {
    return driver.findElement(By.id(id));
  }

  String text(String css) {
    return driver.findElement(By.cssSelector(css)).getText();
  }

  double number(String id) {
    return Double.parseDouble(byId(id).getText());
  }

  int count(String css) {
    return driver.findElements(By.cssSelector(css)).size();
  }

  void awaitText(String css, Predicate<String> expected) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(text(css)).as(css).matches(expected));
  }

  /** Once it is there and nothing covers it. */
  void click(String css) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(WebDriverException.class)
        .until(
            () -> {
              driver.findElement(By.cssSelector(css)).click();
              return true;
            });
  }

  void type(String id, String text) {
    byId(id).clear();
    byId(id).sendKeys(text);
  }

  String focused() {
    return driver.switchTo().activeElement().getAttribute("id");
  }

  void phone() {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", 360, "height", 740, "deviceScaleFactor", 2, "mobile", true));
  }

  void desk() {
    driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
  }

  /** Light or dark. */
  void scheme(String name) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", name))));
  }

  /** From now on a proxy says that the browser is at this address. */
  void comingFrom(String address) {
    driver.executeCdpCommand("Network.enable", Map.of());
    driver.executeCdpCommand(
        "Network.setExtraHTTPHeaders", Map.of("headers", Map.of("X-Forwarded-For", address)));
  }

  void assertNoHorizontalScroll() {
    assertThat(js("return document.documentElement.scrollWidth - window.innerWidth"))
        .as("pixels wider than the window")
        .isEqualTo(0L);
  }

  void assertAccessible() {
    assertThat(new AxeBuilder().analyze(driver).getViolations())
        .as("what axe-core found")
        .isEmpty();
  }

  /** All that was written to the console since the last call, the browser's own words included. */
  List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(Object::toString)
        .toList();
  }

  /** The addresses of all requests since the last call. */
  List<URI> requests() throws IOException {
    List<URI> asked = new ArrayList<>();
    for (var entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      JsonNode message = JSON.readTree(entry.getMessage()).get("message");
      if (message.get("method").asText().equals("Network.requestWillBeSent")) {
        asked.add(URI.create(message.at("/params/request/url").asText()));
      }
    }
    return asked;
  }

  void screenshot(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  private Object js(String script) {
    return ((JavascriptExecutor) driver).executeScript(script);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
