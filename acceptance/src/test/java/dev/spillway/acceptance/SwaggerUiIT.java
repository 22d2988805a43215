package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page that a developer tries the API in, in a real browser. */
@Timeout(180)
class SwaggerUiIT {
  @Test
  void aTokenEnteredOnce_isSentWithACall(@TempDir Path data) throws Exception {
    Map<String, String> config =
        Map.of(
            "spillway.data-dir", data.toString(),
            "spillway.bootstrap.admin-password", "violet-anvil-42",
            "spillway.pool.priority", "normal");
    try (Browser browser = Browser.start();
        Instance service = Instance.start(data, config)) {
      await().atMost(Duration.ofSeconds(90)).until(service::isReady);
      var login = service.login("demo", "demo-password");
      assertThat(login.statusCode()).as(login.body()).isEqualTo(200);

      browser.open(service.uri("/q/swagger-ui/"));
      browser.click("#operations-login-me .opblock-summary-control");
      browser.click("#operations-login-me .try-out__btn");
      browser.click("#operations-login-me .execute");
      String status = "#operations-login-me .live-responses-table .response .response-col_status";
      await().until(() -> browser.count(status) > 0);
      browser.awaitText(status, text -> text.startsWith("401"));

      browser.click(".auth-wrapper .authorize");
      await().until(() -> browser.count("#auth-bearer-value") == 1);
      browser.type("auth-bearer-value", Instance.json(login).get("access_token").textValue());
      browser.click(".modal-ux .auth-btn-wrapper .authorize");
      browser.click(".modal-ux .btn-done");
      browser.click("#operations-login-me .execute");
      browser.awaitText(status, text -> text.startsWith("200"));
    }
  }
}
