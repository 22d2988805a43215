package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.Spilling;
import dev.spillway.auth.hashing.FunctionPackage;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.locallambda.LocalLambda;
import dev.spillway.locallambda.LocalLambdaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The function as processes that log at DEBUG: what they write to standard output and standard
 * error, and what stands between them and the service, says nothing of a password or a key.
 */
@QuarkusTest
@TestProfile(Spilling.class)
@Timeout(120)
class FunctionLogCanaryIT {
  private static final byte[] CANARY = "canary-19f7e2".getBytes(StandardCharsets.UTF_8);
  private static final String FUNCTION = "HashFunction";
  private static final String KEY = "c4".repeat(32);
  private static final String KEYS = "{\"a\":\"%s\"}".formatted(KEY);
  private static final SpillAnswer RIGHT =
      new SpillAnswer.Computed(new SpringDigestEngine().digest(SpillCalls.SETTING, CANARY));

  @TempDir Path directory;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  @Test
  void passwordInClear_isInNoLine() throws Exception {
    try (LocalLambda lambda = start("no");
        CapturedLog log = CapturedLog.from(Level.ALL)) {
      assertThat(call(lambda, SpillCalls.Seals.NONE)).isEqualTo(RIGHT);
      malformed().forEach(body -> post(lambda, body));
      assertNothingIn(log);
    }
  }

  @Test
  void sealedPassword_isInNoLine_openedOrNot() throws Exception {
    try (LocalLambda lambda = start("yes");
        CapturedLog log = CapturedLog.from(Level.ALL)) {
      assertThat(call(lambda, SpillCalls.Seals.with(KEYS, "a"))).isEqualTo(RIGHT);
      assertThat(call(lambda, SpillCalls.Seals.with(KEYS.replace("c4c4", "d5d5"), "a")))
          .isEqualTo(new SpillAnswer.NoDigest(SpillAnswer.Reason.SEAL_REFUSED));
      assertThat(call(lambda, SpillCalls.Seals.NONE))
          .isEqualTo(new SpillAnswer.NoDigest(SpillAnswer.Reason.SEAL_REFUSED));
      malformed().forEach(body -> post(lambda, body));
      assertNothingIn(log);
    }
  }

  /** The template, with one variable more. */
  private LocalLambda start(String sealing) throws IOException {
    String template = Files.readString(Path.of("..", "template.yaml"));
    String variables = "          SPILLWAY_FUNCTION_MAX_COST:";
    assertThat(template).containsOnlyOnce(variables);
    Path talkative =
        Files.writeString(
            directory.resolve("template.yaml"),
            template.replace(
                variables,
                """
                          QUARKUS_LOG_LEVEL: DEBUG
                          QUARKUS_LOG_CATEGORY__IO_QUARKUS__LEVEL: DEBUG
                """
                    + variables));
    return LocalLambda.start(
        LocalLambdaConfig.of(talkative)
            .parameter("Sealing", sealing)
            .secret("SealingSecret", KEYS)
            .functionPackage(FunctionPackage.underTest())
            .concurrency(1)
            .log(lines::add)
            .build());
  }

  private static SpillAnswer call(LocalLambda lambda, SpillConfig.Sealing sealing) {
    return spill(lambda, sealing)
        .digest(SpillCalls.SETTING, CANARY, Deadline.in(Duration.ofSeconds(20)));
  }

  private static Spill spill(LocalLambda lambda, SpillConfig.Sealing sealing) {
    var target =
        new SpillCalls.Target(
            FUNCTION, Optional.of(lambda.region()), Optional.of(lambda.endpoint()), 1);
    var config = new SpillCalls.Config(Map.of("only", target), sealing);
    return new SpillWiring().spill(config, SpillCalls.NO_COOL_DOWN, new SimpleMeterRegistry());
  }

  private static List<String> malformed() {
    String canary = new String(CANARY, StandardCharsets.UTF_8);
    String job = "{\"v\":1,\"jobs\":[{\"id\":\"1\",\"setting\":\"%s\",\"password\":\"%s\"}]}";
    return List.of(
        canary,
        "{\"" + canary,
        "{\"" + canary + "\":1}",
        "\"" + canary + "\"",
        job.formatted("$2b$04$CCCCCCCCCCCCCCCCCCCCC.", canary),
        job.formatted(canary, base64()),
        job.formatted("$2b$31$CCCCCCCCCCCCCCCCCCCCC.", base64()),
        job.formatted("$2b$04$CCCCCCCCCCCCCCCCCCCCC.", base64()).replace("}]}", ""));
  }

  private static void post(LocalLambda lambda, String body) {
    URI invoke = lambda.endpoint().resolve("/2015-03-31/functions/" + FUNCTION + "/invocations");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(invoke)
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).doesNotContain("canary");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertNothingIn(CapturedLog log) {
    assertThat(lines).as("the function talks").anyMatch(line -> line.contains("DEBUG"));
    List<String> all = new ArrayList<>(lines);
    // Of what this test's own client sends, nothing is the service's or the function's.
    log.lines().stream().filter(line -> !line.contains("[jdk.httpclient")).forEach(all::add);
    for (String secret :
        new String[] {
          "canary", HexFormat.of().formatHex(CANARY), base64().substring(0, 12), KEY, "c4c4c4c4c4c4"
        }) {
      assertThat(all.stream().filter(line -> line.contains(secret))).as(secret).isEmpty();
    }
  }

  private static String base64() {
    return Base64.getEncoder().encodeToString(CANARY);
  }
}
