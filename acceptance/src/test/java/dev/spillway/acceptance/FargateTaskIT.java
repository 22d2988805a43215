package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service as infra/auth-service.yaml starts it: with the task definition's
 * environment, on PostgreSQL, and without a file it could write to. CloudWatch and the function are
 * not there.
 */
@Timeout(240)
class FargateTaskIT {
  private static final String PASSWORD = "the secret's";

  /** In a mount namespace of its own everything is mounted read-only; then that is tried. */
  private static final String READ_ONLY =
      """
      mount --make-rprivate /
      for at in $(awk '$2 !~ "^/(proc|sys|dev)" {print $2}' /proc/mounts | sort -u); do
        mount --bind "$at" "$at" && mount -o remount,ro,bind "$at"
      done
      if touch /tmp/writable 2>/dev/null; then echo 'the file system is not read-only'; exit 99; fi
      cd / && exec "$@"
      """;

  @TempDir Path logs;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private EmbeddedPostgres postgres;
  private Process service;
  private int port;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "--mount", "true").start().waitFor() == 0,
        "a mount namespace wants root");
    postgres =
        EmbeddedPostgres.builder()
            .setPort(Running.freePort())
            .setPGStartupWait(Duration.ofMinutes(1))
            .start();
    port = Running.freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            "unshare",
            "--mount",
            "sh",
            "-c",
            READ_ONLY,
            "task",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            Running.HOME.resolve("auth-service/target/quarkus-app/quarkus-run.jar").toString());
    builder.environment().putAll(environment());
    service =
        builder.redirectErrorStream(true).redirectOutput(logs.resolve("log").toFile()).start();
    await()
        .atMost(Duration.ofSeconds(120))
        .until(() -> !service.isAlive() || status("/q/health/ready") == 200);
    assertThat(service.isAlive()).as(() -> log()).isTrue();
  }

  @AfterEach
  void stop() throws IOException {
    if (service != null) {
      service.destroyForcibly();
    }
    if (postgres != null) {
      postgres.close();
    }
    http.close();
  }

  @Test
  void task_servesLogins_andEndsWithZero() throws Exception {
    // Hash threads step aside for every other process: on a busy machine a login may be shed.
    await().atMost(Duration.ofSeconds(60)).until(() -> login(PASSWORD), status -> status == 200);
    await().atMost(Duration.ofSeconds(60)).until(() -> login("another"), status -> status == 401);

    service.destroy(); // SIGTERM, as ECS ends a task
    assertThat(service.waitFor(60, TimeUnit.SECONDS)).as("ended by itself").isTrue();
    assertThat(service.exitValue()).as(this::log).isZero();
  }

  /** What the template sets, and what ECS does; of references, what they might refer to. */
  private Map<String, String> environment() throws IOException {
    Map<String, String> values =
        new HashMap<>(
            Map.of(
                "SPILLWAY_DATABASE_URL", postgres.getJdbcUrl("postgres", "postgres"),
                "SPILLWAY_DATABASE_USERNAME", "postgres",
                "SPILLWAY_DATABASE_PASSWORD", "postgres",
                "SPILLWAY_BOOTSTRAP_ADMIN_PASSWORD", PASSWORD,
                "SPILLWAY_TOKENS_ISSUER", "https://login.example.com",
                "SPILLWAY_NETWORK_TRUSTED_PROXIES", "172.31.0.0/16",
                "SPILLWAY_SPILL_TARGETS_MAIN_FUNCTION",
                    "arn:aws:lambda:eu-central-1:000000000000:function:hash:live",
                "SPILLWAY_SPILL_TARGETS_MAIN_MAX_OUTSTANDING", "8",
                "SPILLWAY_CLOUDWATCH_SERVICE", "spillway",
                "JAVA_TOOL_OPTIONS", ""));
    values.put("SPILLWAY_SPILL_SEALING_KEYS", "{\"a\":\"%s\"}".formatted("5e".repeat(32)));
    values.put("SPILLWAY_SPILL_SEALING_USE", "a");
    String template = Files.readString(Running.HOME.resolve("infra/auth-service.yaml"));
    Pattern.compile("\\{Name: ([A-Z_]+), Value: \"?([\\w.-]+)\"?}")
        .matcher(template)
        .results()
        .forEach(it -> values.putIfAbsent(it.group(1), it.group(2)));
    var named = new TreeSet<String>();
    Pattern.compile("Name: ([A-Z][A-Z_]{4,})\\b")
        .matcher(template)
        .results()
        .forEach(it -> named.add(it.group(1)));
    assertThat(values.keySet()).as("a value for each of the template's").hasSameElementsAs(named);
    values.putAll(
        Map.of(
            "QUARKUS_HTTP_PORT", Integer.toString(port),
            "AWS_REGION", "eu-central-1",
            "AWS_ACCESS_KEY_ID", "task",
            "AWS_SECRET_ACCESS_KEY", "task",
            "AWS_ENDPOINT_URL_CLOUDWATCH", "http://127.0.0.1:9"));
    return values;
  }

  private int login(String password) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(uri("/login"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"login\":\"admin\",\"password\":\"" + password + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private int status(String path) throws InterruptedException {
    try {
      return http.send(
              HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0; // not up yet
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private String log() {
    try {
      return Files.readString(logs.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
