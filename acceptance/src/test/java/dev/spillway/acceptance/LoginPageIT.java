package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The two forms that log in, in a real browser: that of the example, and that of the dashboard. */
@Timeout(180)
class LoginPageIT {
  /** Two and a half times as many as there is time for, or more than that on a faster machine. */
  private static final int CLIENTS = 60;

  /** Of who is refused, or refusing would leave no time for hashing. */
  private static final Duration PAUSE = Duration.ofMillis(400);

  @TempDir static Path data;
  private static Browser browser;
  private static Instance service;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start();
    service =
        Instance.start(
            data,
            Map.of(
                "spillway.data-dir", data.toString(),
                "spillway.bootstrap.admin-password", "an admin's password",
                "spillway.dashboard.access", "admin",
                "spillway.throttle.window", "15s",
                // One hash at a time: twenty fill the time an answer has.
                "spillway.pool.threads", "1",
                "spillway.pool.lanes", "1",
                "spillway.pool.priority", "normal"));
    await().atMost(Duration.ofSeconds(90)).until(service::isReady);
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
    browser.comingFrom("127.0.0.1");
    browser.open(page("/login-example"));
  }

  @Test
  void theForm_isOneThatPasswordManagersKnow_andAccessible() {
    assertThat(browser.byId("login").getAttribute("autocomplete")).isEqualTo("username");
    assertThat(browser.byId("password").getAttribute("autocomplete")).isEqualTo("current-password");
    await().until(() -> browser.focused().equals("login"));
    for (String scheme : new String[] {"light", "dark"}) {
      browser.scheme(scheme);
      browser.assertAccessible();
    }
    browser.phone();
    browser.assertNoHorizontalScroll();
    browser.desk();
  }

  @Test
  void wrongPassword_isSaid_emptied_andTheRightOneLogsIn() {
    submit("demo", "demo-passwort");
    browser.awaitText(".error", "Login or password is wrong."::equals);
    assertThat(browser.byId("password").getAttribute("value")).isEmpty();
    assertThat(browser.focused()).isEqualTo("password");
    browser.assertAccessible();

    submit("demo", "demo-password");
    browser.awaitText("#title", "Logged in"::equals);
    assertThat(browser.text("#welcome")).isEqualTo("You are demo.");
    assertThat(browser.focused()).isEqualTo("title");
  }

  @Test
  void throttled_theButtonWaitsUntilItMayBePressed() throws Exception {
    String address = "198.51.100.7";
    for (int i = 0; i < 5; i++) {
      Map<String, String> wrong = Map.of("login", "demo", "password", "wrong " + i);
      assertThat(service.post("/login", wrong, "X-Forwarded-For", address).statusCode())
          .isEqualTo(401);
    }
    browser.comingFrom(address);
    submit("demo", "demo-password");
    browser.awaitText(
        ".error", words -> words.startsWith("Too many wrong passwords. Try again in "));
    browser.awaitText(".countdown", words -> words.matches("0:0[1-9]|0:1[0-5]"));
    assertThat(browser.byId("submit").isEnabled()).isFalse();

    browser.awaitText(".error", "You can try again now."::equals);
    assertThat(browser.focused()).isEqualTo("submit");
    browser.byId("submit").click();
    browser.awaitText("#title", "Logged in"::equals);
  }

  @Test
  void overloaded_saysThatThePasswordWasNotLookedAt_andTheRightOneLogsInLater() {
    AtomicBoolean enough = new AtomicBoolean();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.submit(
            () -> {
              while (!enough.get()) {
                if (service.login("demo", "demo-password").statusCode() == 503) {
                  Thread.sleep(PAUSE);
                }
              }
              return null;
            });
      }
      try {
        // One of them may be lucky.
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () -> {
                  browser.open(page("/login-example"));
                  submit("demo", "demo-password");
                  await().until(() -> !browser.text(".error").isEmpty() || loggedIn());
                  return !loggedIn();
                });
        assertThat(browser.text(".error"))
            .startsWith("The service is busy. Your password has not been looked at. Try again in ");
        assertThat(browser.byId("submit").isEnabled()).isFalse();
        assertThat(browser.text(".countdown")).matches("0:\\d\\d");
      } finally {
        enough.set(true);
      }
    }
    browser.awaitText(".error", "You can try again now."::equals);
    browser.byId("submit").click();
    browser.awaitText("#title", "Logged in"::equals);
  }

  @Test
  void theDashboard_asksForAnAdmin() throws Exception {
    browser.open(page("/q/dashboard"));
    await().until(() -> browser.byId("login").isDisplayed());
    browser.assertAccessible();
    browser.phone();
    browser.assertNoHorizontalScroll();
    browser.desk();
    submit("demo", "demo-password");
    browser.awaitText("#sign-in-error", "This login is not an admin."::equals);

    submit("admin", "an admin's password");
    browser.awaitText("#state", "Live"::equals);
    assertThat(browser.text("#permits")).isEqualTo("1");
    assertThat(browser.text("#targets")).startsWith("Nothing spills");
    Burst.of(service, CLIENTS, 2, () -> {});
    browser.awaitText(
        "#verdict",
        words ->
            words.matches(
                "\\d+\\.\\d of \\d+\\.\\d logins a second refused: pool full( at times)?, nowhere to spill"));
    browser.assertAccessible();
    assertThat(browser.requests()).noneMatch(asked -> asked.toString().contains("password="));
  }

  private static boolean loggedIn() {
    return browser.text("#title").equals("Logged in");
  }

  private static void submit(String login, String password) {
    browser.type("login", login);
    browser.type("password", password);
    browser.byId("submit").click();
  }

  private static URI page(String path) {
    return service.uri(path);
  }
}
