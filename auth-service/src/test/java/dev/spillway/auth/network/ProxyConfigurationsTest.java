package dev.spillway.auth.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.auth.FreePort;
import dev.spillway.auth.LocalOnly;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** N2: the proxies of docs/login-page.md, configured as it is printed there. */
@QuarkusTest
@TestProfile(ProxyConfigurationsTest.Behind.class)
@Timeout(120)
class ProxyConfigurationsTest {
  private static final Path DOCUMENT = Path.of("../docs/login-page.md");
  private static final int LIMIT = 5;

  @TempDir Path directory;

  public static class Behind extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = new HashMap<>(super.getConfigOverrides());
      config.put("spillway.throttle.exempt", "192.0.2.1");
      config.put("spillway.network.trusted-proxies", "127.0.0.1");
      return config;
    }
  }

  @Test
  void n2_nginx() throws Exception {
    int port = FreePort.next();
    String conf =
        """
        user root;
        error_log stderr;
        pid %1$s/pid;
        events {}
        http {
          access_log off;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
          server { listen 127.0.0.1:%2$d;
          %3$s
          }
        }
        """
            .formatted(directory, port, printed("nginx"));
    run(port, conf, "nginx", "-p", directory.toString(), "-g", "daemon off;", "-c");
  }

  @Test
  void n2_caddy() throws Exception {
    int port = FreePort.next();
    String conf =
        "{\n  admin off\n  auto_https off\n  storage file_system %s\n}\n".formatted(directory)
            + printed("caddyfile").replace(":80 {", ":" + port + " {");
    run(port, conf, "caddy", "run", "--adapter", "caddyfile", "--config");
  }

  @Test
  void n2_haproxy() throws Exception {
    int port = FreePort.next();
    String conf =
        """
        defaults
          mode http
          timeout connect 5s
          timeout client 30s
          timeout server 30s
        %s
        backend pages
          http-request return status 200 content-type text/plain string pages
        """
            .formatted(printed("haproxy").replace("bind :80", "bind 127.0.0.1:" + port));
    run(port, conf, "haproxy", "-db", "-f");
  }

  private void run(int port, String conf, String... command) throws Exception {
    assumeTrue(isInstalled(command[0]), () -> "no " + command[0]);
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    Files.writeString(directory.resolve("index.html"), "pages");
    Path file = Files.writeString(directory.resolve("conf"), conf);
    List<String> words = new java.util.ArrayList<>(List.of(command));
    words.add(file.toString());
    Path log = directory.resolve("log");
    Process proxy =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      await().atMost(Duration.ofSeconds(30)).until(() -> !proxy.isAlive() || isOpen(port));
      assertThat(proxy.isAlive()).as(Files.readString(log)).isTrue();
      assertCountsItsClient(port, command[0]);
    } finally {
      proxy.destroy();
      if (!proxy.waitFor(10, TimeUnit.SECONDS)) {
        proxy.destroyForcibly();
      }
    }
  }

  /** A made-up address each time. */
  private static void assertCountsItsClient(int port, String login) {
    for (int i = 0; i < 14; i++) {
      int status =
          RestAssured.given()
              .port(port)
              .contentType("application/json")
              .header("X-Forwarded-For", "203.0.113." + i)
              .header("Forwarded", "for=203.0.113." + i)
              .body(Map.of("login", login, "password", "wrong"))
              .post("/login")
              .statusCode();
      assertThat(status).as("guess %d", i).isEqualTo(i < LIMIT ? 401 : 429);
    }
    for (String path : List.of("/refresh", "/logout")) {
      assertThat(RestAssured.given().port(port).get(path).asString())
          .as(path)
          .doesNotContain("pages");
    }
    assertThat(RestAssured.given().port(port).get("/me").statusCode()).isEqualTo(401);
    assertThat(RestAssured.given().port(port).get("/.well-known/jwks.json").statusCode())
        .isEqualTo(200);
    assertThat(RestAssured.given().port(port).get("/index.html").asString()).contains("pages");
    assertThat(RestAssured.given().port(port).get("/q/metrics").asString())
        .as("not handed on")
        .doesNotContain("spillway_login");
  }

  private String printed(String language) throws IOException {
    String text = Files.readString(DOCUMENT);
    String start = "```" + language + "\n";
    int from = text.indexOf(start) + start.length();
    return text.substring(from, text.indexOf("```", from))
        .replace("spillway:8080", "127.0.0.1:" + RestAssured.port)
        .replace("/srv/pages", directory.toString());
  }

  private static boolean isInstalled(String program) {
    return java.util.Arrays.stream(System.getenv("PATH").split(":"))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
