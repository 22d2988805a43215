package dev.spillway.auth.management;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.spillway.auth.Api;
import dev.spillway.auth.FreePort;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.RawClient;
import dev.spillway.auth.http.Problem;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a port of their own for admins and operators: what each of the two answers. */
@QuarkusTest
@TestProfile(ManagementPortTest.TwoPorts.class)
class ManagementPortTest {
  @Inject BeanManager beans;

  /** On a free port. */
  public static final class TwoPorts extends LocalOnly implements QuarkusTestProfile {
    private static final int PORT = FreePort.next();

    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      config.put("spillway.management.port", String.valueOf(PORT));
      config.put("spillway.sessions.enabled", "true");
      config.put("spillway.login-example.enabled", "true");
      return config;
    }
  }

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/users",
        "/users/root",
        "/users/root/password",
        "/users/import",
        "/keys",
        "/keys/rotation",
        "/spend",
        "/settings",
        "/audit",
        "/q/metrics",
        "/q/openapi",
        "/q/swagger-ui",
        "/q/swagger-ui/index.html",
        "/q/dashboard",
        "/q/dashboard/dashboard.js",
        "/q/dashboard/events",
        "/q",
        "/",
        "//users",
        "/users/",
        "/users;a=b",
        "/./users",
        "/login/../users",
        "/login/%2e%2e/users",
        "/q/health/../metrics",
        "/q/health/%2e%2e/metrics",
        "/login-example/../keys",
        "/.well-known/../audit",
        "/%75sers",
        "/%2fusers",
        "/USERS",
        "/.well-known/..;/users",
        "/.well-known/..;a=b/users",
        "/q/health/..;/metrics",
        "/login;/../users",
        "/login%3b/../users",
        "/login;a=b",
        "/%6cogin",
        "/login-example/%5c..%5cusers",
        "/login-example//users",
        "/login-example/./users",
      })
  void mainPort_knowsNothingOfAdminsAndOperators(String path) throws IOException {
    String headers = "Authorization: Bearer " + token() + "\r\n";
    for (String method : new String[] {"GET", "PUT", "POST", "DELETE", "OPTIONS"}) {
      try (RawClient client = new RawClient(RestAssured.port)) {
        String answer = client.send(method, path, headers, "{}").answer();
        assertThat(answer).as(method).startsWith("HTTP/1.1 404");
      }
    }
  }

  /** It is no slash, but a part of a name that nothing public has. */
  @Test
  void encodedSlash_leadsNowhere() throws IOException {
    String headers = "Authorization: Bearer " + token() + "\r\n";
    for (String path : new String[] {"/q/health/..%2fmetrics", "/login-example/..%2f..%2fkeys"}) {
      assertThat(raw(RestAssured.port, "GET", path, headers, "")).contains(" 404 ");
    }
  }

  /** In every respect like a path that there never was, so that nobody learns there are others. */
  @Test
  void refusal_isThatOfAnyOtherPath() throws IOException {
    given()
        .get("/users")
        .then()
        .statusCode(404)
        .contentType(Problem.MEDIA_TYPE)
        .header("X-Content-Type-Options", equalTo("nosniff"))
        .header("Cache-Control", equalTo("no-store"))
        .body("detail", equalTo("There is nothing at this path."));
    try (RawClient admin = new RawClient(TwoPorts.PORT);
        RawClient main = new RawClient(RestAssured.port)) {
      assertThat(sorted(main.send("GET", "/users", "", "").answer()))
          .isEqualTo(sorted(admin.send("GET", "/nothing-at-all", "", "").answer()));
    }
  }

  /**
   * A body that is still coming is not waited for, and the connection goes on after one that came.
   */
  @Test
  void refusal_ofABodyLeavesNothingBehind() throws IOException {
    try (RawClient client = new RawClient(RestAssured.port)) {
      assertThat(client.send("POST", "/users", "", "x".repeat(3_000)).answer()).contains(" 404 ");
      assertThat(client.send("GET", "/q/health/live", "", "").answer()).contains(" 200 ");
    }
    try (RawClient client = new RawClient(RestAssured.port)) {
      client.sendRaw("POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n{");
      assertThat(client.answer()).contains(" 404 ");
      assertThat(client.isHungUpOn()).isTrue();
    }
  }

  @Test
  void mainPort_isForUsersAndLoadBalancers() {
    Response granted = Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD);
    assertThat(granted.statusCode()).isEqualTo(200);
    given()
        .header("Authorization", "Bearer " + granted.path("access_token"))
        .get("/me")
        .then()
        .statusCode(200);
    for (String session : new String[] {"/refresh", "/logout"}) {
      given()
          .contentType("application/json")
          .body(Map.of("refresh_token", "x"))
          .post(session)
          .then()
          .statusCode(org.hamcrest.Matchers.not(404));
    }
    for (String path :
        new String[] {
          "/q/health",
          "/q/health/live",
          "/q/health/ready",
          "/.well-known/jwks.json",
          "/.well-known/openid-configuration",
          "/login-example",
        }) {
      given().get(path).then().statusCode(200);
    }
  }

  @Test
  void managementPort_answersEverything() {
    String token =
        there()
            .contentType("application/json")
            .body(Map.of("login", LocalOnly.ADMIN, "password", LocalOnly.ADMIN_PASSWORD))
            .post("/login")
            .path("access_token");
    for (String path : new String[] {"/users", "/keys", "/spend", "/settings", "/audit", "/me"}) {
      there().get(path).then().statusCode(401).contentType(Problem.MEDIA_TYPE);
      there().header("Authorization", "Bearer " + token).get(path).then().statusCode(200);
    }
    for (String path :
        new String[] {"/q/health/ready", "/q/metrics", "/q/openapi", "/.well-known/jwks.json"}) {
      there().get(path).then().statusCode(200);
    }
    there()
        .header("Authorization", "Bearer " + token)
        .contentType("application/json")
        .body(Map.of("login", "ann", "password", "of the other port"))
        .post("/users")
        .then()
        .statusCode(201);
    assertThat(Api.login("ann", "of the other port").statusCode()).isEqualTo(200);
  }

  /** It asks for a login and for figures where it came from. */
  @Test
  void dashboard_worksThere() throws Exception {
    there().get("/q/dashboard").then().statusCode(200).body(containsString("dashboard.js"));
    for (String file : List.of("dashboard.js", "stream.js", "sign-in.js")) {
      there().get("/q/dashboard/" + file).then().statusCode(200);
    }
    try (RawClient client = new RawClient(TwoPorts.PORT)) {
      String head =
          client
              .sendRaw(
                  "GET /q/dashboard/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                      + token()
                      + "\r\n\r\n")
              .answer();
      assertThat(head).startsWith("HTTP/1.1 200").containsIgnoringCase("text/event-stream");
    }
  }

  @Test
  void limits_areThoseOfTheMainPort() throws IOException {
    for (int port : new int[] {RestAssured.port, TwoPorts.PORT}) {
      assertThat(raw(port, "GET", "/me", "X: " + "x".repeat(9_000) + "\r\n", "")).contains(" 431 ");
      assertThat(raw(port, "GET", "/" + "x".repeat(5_000), "", "")).contains(" 414 ");
      assertThat(raw(port, "POST", "/login", "", "x".repeat(5_000))).contains(" 413 ");
      assertThat(raw(port, "POST", "/login", "", "{}")).contains(" 400 ");
    }
  }

  @Test
  void managementPort_isOpenOnLoopbackOnly() throws IOException {
    new Socket("127.0.0.1", TwoPorts.PORT).close();
    assertThatThrownBy(() -> new Socket("127.0.0.2", TwoPorts.PORT))
        .isInstanceOf(ConnectException.class);
  }

  /** Whoever writes the next resource for admins need not think of it. */
  @Test
  void whatTheRoleGuards_isNotPublic() {
    int guarded = 0;
    for (Bean<?> bean : beans.getBeans(Object.class, Any.Literal.INSTANCE)) {
      Path path = bean.getBeanClass().getAnnotation(Path.class);
      RolesAllowed roles = bean.getBeanClass().getAnnotation(RolesAllowed.class);
      if (path != null && roles != null && List.of(roles.value()).contains("admin")) {
        guarded++;
        assertThat(PublicPaths.contain(path.value())).as(path.value()).isFalse();
      }
    }
    assertThat(guarded).isGreaterThanOrEqualTo(6);
  }

  private static List<String> sorted(String answer) {
    return answer.lines().map(line -> line.toLowerCase(java.util.Locale.ROOT)).sorted().toList();
  }

  private static String token() {
    return Api.login(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD).path("access_token");
  }

  private static RequestSpecification there() {
    return given().port(TwoPorts.PORT);
  }

  private static String raw(int port, String method, String path, String headers, String body)
      throws IOException {
    try (RawClient client = new RawClient(port)) {
      return client.send(method, path, headers, body).answer();
    }
  }
}
