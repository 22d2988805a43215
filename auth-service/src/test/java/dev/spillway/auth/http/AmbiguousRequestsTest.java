package dev.spillway.auth.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.RawClient;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** N5, N6, M2: what can be read in two ways is refused, and nothing of it is logged. */
@QuarkusTest
class AmbiguousRequestsTest {
  private static final String BODY = "{\"name\":\"a\",\"password\":\"p\"}";

  private CapturedLog log;

  @BeforeEach
  void captureLog() {
    log = CapturedLog.from(Level.WARNING);
  }

  @AfterEach
  void nothingWasLogged() {
    log.close();
    assertThat(log.lines()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%71/metrics",
        "//q/metrics",
        "/./q/metrics",
        "/x/../q/metrics",
        "/q//metrics",
        "/q/./metrics",
        "/q/%6detrics",
        "/q/%2e/metrics",
        "/q/metrics/.",
        "/q/metrics/..",
        "/q;a=b/metrics",
        "/users;a",
        "/\u00e9",
        "/q/metrics#a",
        "http://localhost//q/metrics",
      })
  void n5_pathThatIsNotInItsNormalForm_is400(String path) throws IOException {
    assertProblem(raw("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  }

  /** By Vert.x, which says no more. */
  @ParameterizedTest
  @ValueSource(strings = {"/%", "/%zz", "/a\\b"})
  void n5_pathThatCannotBeDecoded_is400(String path) throws IOException {
    assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 400");
  }

  @ParameterizedTest
  @CsvSource({
    "/q/metrics, 200",
    "/q/metrics?a=//../%71, 200",
    "/users/a%2Fb, 401",
    "/users/a%3bb, 401",
    "/users/caf%C3%A9, 401",
    "/users/a.b~c-d_e, 401",
    "/users/..., 401",
    "/, 404",
    "/nothing/, 404",
  })
  void n5_normalPath_isServed(String path, int status) throws IOException {
    assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 " + status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Host:\r\n",
        "Host: a b\r\n",
        "Host: a\r\nHost: a\r\n",
        "Host: a\r\nHost: b\r\n",
        "Host: a:b:c\r\n",
        "Host: [::1\r\n",
      })
  void n6_withoutOneValidHost_is400(String host) throws IOException {
    assertProblem(raw("GET /q/health/live HTTP/1.1\r\n" + host + "\r\n"), 400);
  }

  @ParameterizedTest
  @CsvSource({
    "'Content-Type: application/json\r\n', 200",
    "'Content-Type: application/json ; charset=utf-8\r\n', 200",
    "'Content-Type: application/json\t;charset=UTF-8\r\n', 200",
    "'Content-Type: application/json;\r\n', 200",
    "'', 415",
    "'Content-Type:\r\n', 415",
    "'Content-Type: \t \r\n', 415",
    "'Content-Type: json\r\n', 415",
    "'Content-Type: /\r\n', 415",
    "'Content-Type: application/json;charset\r\n', 415",
    "'Content-Type: application/json, application/json\r\n', 415",
    "'Content-Type: application/json\r\nContent-Type: text/plain\r\n', 415",
  })
  void m2_contentType_isReadAsRfc9110SaysIt(String header, int status) throws IOException {
    String answer =
        raw(
            "POST /probe HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n%s"
                .formatted(header, BODY.length(), BODY));
    if (status == 200) {
      assertThat(answer).startsWith("HTTP/1.1 200");
    } else {
      assertProblem(answer, status);
    }
  }

  /** On what reads no body, too. */
  @Test
  void m2_emptyContentType_failsNowhere() throws IOException {
    for (String path : new String[] {"/probe/me", "/q/health/live", "/users", "/nothing"}) {
      assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type:\r\n\r\n"))
          .doesNotStartWith("HTTP/1.1 5");
    }
  }

  private static void assertProblem(String answer, int status) {
    assertThat(answer)
        .startsWith("HTTP/1.1 " + status)
        .containsIgnoringCase("Content-Type: " + Problem.MEDIA_TYPE)
        .contains("\"status\":" + status);
  }

  private static String raw(String request) throws IOException {
    try (RawClient client = new RawClient(RestAssured.port)) {
      return client.sendRaw(request).answer();
    }
  }
}
