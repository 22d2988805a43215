package dev.spillway.auth.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.config.EncoderConfig;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ProblemsTest {
  private static final String CANARY = "canary-7f3a";

  @Test
  void goodRequest_isServedAndKeptOutOfCaches() {
    post("{\"name\":\"a\",\"password\":\"p\u00e9\",\"inner\":{\"count\":1,\"words\":[\"w\"]}}")
        .statusCode(200)
        .header("Cache-Control", "no-store")
        .header("X-Content-Type-Options", "nosniff")
        .body("bytes", equalTo(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "\"canary-7f3a\"",
        "{\"name\":\"canary-7f3a\"",
        "canary-7f3a",
        "{\"name\":\"a\",\"password\":\"canary-7f3a\"} {}",
        "{\"name\":\"a\",\"password\":\"canary-7f3a\"}canary-7f3a",
        "{\"name\":\"a\",\"password\":\"p\",\"password\":\"canary-7f3a\"}",
        "{\"name\":\"a\",\"password\":\"p\",\"canary-7f3a\":1}",
        "{\"name\":\"a\",\"password\":\"canary-7f3a\\ud800\"}",
        "{\"name\":\"a\",\"password\":[\"canary-7f3a\"]}",
        "{\"name\":\"a\",\"password\":true}",
        "{\"name\":\"a\",\"password\":73}",
        "{\"name\":\"a\",\"password\":null}",
        "{\"name\":\"a\"}",
        "{\"name\":\" \",\"password\":\"canary-7f3a\"}",
        "{\"name\":1,\"password\":\"canary-7f3a\"}",
        "{\"name\":true,\"password\":\"canary-7f3a\"}",
        "{\"name\":{\"canary-7f3a\":1},\"password\":\"p\"}",
        "{\"name\":\"a\",\"password\":\"p\",\"inner\":{\"count\":\"1\"}}",
        "{\"name\":\"a\",\"password\":\"p\",\"inner\":{\"count\":1.5}}",
        "{\"name\":\"a\",\"password\":\"p\",\"inner\":{\"count\":null}}",
        "{\"name\":\"a\",\"password\":\"p\",\"inner\":{\"count\":99999999999}}",
        "{\"name\":\"a\",\"password\":\"p\",\"inner\":{\"count\":1,\"words\":\"w\"}}",
        "{\"name\":\"a\",\"password\":\"p\",\"inner\":[[[[[[[[[[[[1]]]]]]]]]]]]}",
        "{'name':'a'}",
        "{\"name\":\"a\",/* */\"password\":\"p\"}",
        "{\"name\":NaN,\"password\":\"p\"}",
      })
  void unacceptableBody_is400AndNotRepeated(String body) {
    problem(post(body), 400);
  }

  @Test
  void refusedFields_areNamed() {
    post("{\"name\":\"\",\"inner\":{\"count\":-1}}")
        .statusCode(400)
        .body("type", equalTo("urn:spillway:invalid-request"))
        .body("errors.field", equalTo(java.util.List.of("inner.count", "name", "password")));
    post("{\"name\":\"a\",\"inner\":{\"words\":[{}]}}")
        .statusCode(400)
        .body("errors[0].field", equalTo("inner.words.[]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-32BE", "ISO-8859-1"})
  void otherEncodings_areRefused(String charset) throws IOException {
    byte[] body = "{\"name\":\"\u00e9\",\"password\":\"p\"}".getBytes(charset);
    problem(json().body(body).post("/probe").then(), 400);
  }

  @Test
  void overlongAndSurrogateBytes_areNotUtf8() {
    for (String bytes : new String[] {"\u00c1\u00a1", "\u00ed\u00a0\u0080", "\u00ff"}) {
      byte[] body =
          ("{\"name\":\"a\",\"password\":\"" + bytes + "\"}").getBytes(StandardCharsets.ISO_8859_1);
      problem(json().body(body).post("/probe").then(), 400);
    }
  }

  @Test
  void declaredCharset_isUtf8OrRefused() {
    problem(
        plain().contentType("application/json; charset=utf-16").body("{}").post("/probe").then(),
        415);
    plain()
        .contentType("application/json; charset=UTF-8")
        .body("{\"name\":\"a\",\"password\":\"p\"}")
        .post("/probe")
        .then()
        .statusCode(200);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /nothing/here, 404",
    "GET, /probe/nothing, 404",
    "DELETE, /probe, 405",
    "GET, /probe/me, 401",
    "GET, /probe/admin, 401",
    "GET, /probe/conflict, 409",
    "POST, /, 404",
  })
  void refusals_areProblems(String method, String path, int status) {
    problem(given().request(method, path).then(), status);
  }

  @Test
  void unservableTypes_areProblems() {
    problem(given().accept("image/png").get("/probe/bug").then(), 406);
    problem(plain().contentType("text/plain").body(CANARY).post("/probe").then(), 415);
    problem(given().accept("text/html").get("/nothing").then(), 404);
  }

  @Test
  void missingToken_isChallenged() {
    given().get("/probe/me").then().header("WWW-Authenticate", "Bearer realm=\"spillway\"");
    problem(given().header("Authorization", "Bearer " + CANARY).get("/probe/me").then(), 401)
        .header("WWW-Authenticate", containsString("invalid_token"));
    problem(given().header("Authorization", "Basic eDp5").get("/probe/me").then(), 401);
  }

  @Test
  void overload_saysWhenToComeBack() {
    Set<Integer> told = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Response answer = given().get("/probe/overloaded");
      problem(answer.then(), 503).body("type", equalTo("urn:spillway:overloaded"));
      told.add(Integer.valueOf(answer.header("Retry-After")));
    }
    // 1.2 s; that one of the three is missing happens once in 10^17.
    assertThat(told).containsExactlyInAnyOrder(2, 3, 4);
  }

  @Test
  void bug_showsAnIdAndNothingElse() {
    problem(given().get("/probe/bug").then(), 500)
        .body("instance", matchesPattern("urn:uuid:[0-9a-f-]{36}"));
  }

  @Test
  void bodyAtTheLimit_isRead() {
    String body = "{\"name\":\"a\",\"password\":\"p\"}";
    post(body + " ".repeat(BodyLimit.MAX_BYTES - body.length())).statusCode(200);
    problem(post(body + " ".repeat(BodyLimit.MAX_BYTES - body.length() + 1)), 413);
  }

  @Test
  void bodyAboveEveryLimit_isAProblemToo() throws IOException {
    String answer =
        RawHttp.untilClosed(
            RestAssured.port,
            "POST /probe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 99999999999\r\n\r\n{");
    assertThat(answer).startsWith("HTTP/1.1 413").contains(Problem.MEDIA_TYPE);
  }

  @Test
  void unannouncedBody_isCutOff() throws IOException {
    String chunk = "1000\r\n" + " ".repeat(4096) + "\r\n";
    String answer =
        RawHttp.untilClosed(
            RestAssured.port,
            "POST /probe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + chunk
                + chunk
                + chunk);
    assertThat(answer).startsWith("HTTP/1.1 413").contains(Problem.MEDIA_TYPE);
  }

  @Test
  void largeBody_isStreamedWhereAllowed() {
    int length = 12 * 1024 * 1024;
    plain()
        .contentType("application/x-ndjson")
        .body(new byte[length])
        .post("/probe/large")
        .then()
        .statusCode(200)
        .body("bytes", equalTo(length));
  }

  private static ValidatableResponse post(String body) {
    return json().body(body.getBytes(StandardCharsets.UTF_8)).post("/probe").then();
  }

  private static io.restassured.specification.RequestSpecification json() {
    return plain().contentType("application/json");
  }

  private static io.restassured.specification.RequestSpecification plain() {
    return given()
        .config(
            RestAssured.config()
                .encoderConfig(
                    EncoderConfig.encoderConfig()
                        .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                        .encodeContentTypeAs(
                            "application/x-ndjson", io.restassured.http.ContentType.BINARY)));
  }

  private static ValidatableResponse problem(ValidatableResponse answer, int status) {
    return answer
        .statusCode(status)
        .contentType(Problem.MEDIA_TYPE)
        .header("Cache-Control", "no-store")
        .body("status", equalTo(status))
        .body("title", not(equalTo("")))
        .body(not(containsString("canary")))
        .body(not(containsString("Exception")));
  }
}
