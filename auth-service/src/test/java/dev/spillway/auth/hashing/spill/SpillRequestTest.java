package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.Spilling;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a function is sent: all it needs, and nothing to guess passwords with. */
@QuarkusTest
@TestProfile(Spilling.class)
class SpillRequestTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String ARN =
      "arn:aws:lambda:eu-west-3:123456789012:function:spillway-digest:live";

  private static FakeFunction function;

  @Inject Spill spill;

  @BeforeAll
  static void start() {
    function = FakeFunction.start();
  }

  @AfterAll
  static void stop() {
    function.close();
  }

  @BeforeEach
  void forget() {
    // What another test made the function fail at may be held against it for a moment.
    await()
        .until(
            () ->
                spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG))
                    instanceof SpillAnswer.Computed);
    function.forget();
  }

  @Test
  void request_isAnInvocationOfTheFunction() {
    spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG));

    LoggedRequest request = only();
    assertThat(request.getMethod().getName()).isEqualTo("POST");
    assertThat(request.getUrl().replace("%3A", ":"))
        .isEqualTo("/2015-03-31/functions/spillway-digest:live/invocations");
    assertThat(request.getHeader("Content-Type")).isEqualTo("application/json");
    assertThat(request.getHeader("Accept")).isEqualTo("application/json");
    assertThat(request.getHeader("X-Amz-Invocation-Type")).as("synchronous by default").isNull();
  }

  @Test
  void body_isTheContractAndNotOneByteMore() {
    spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG));

    String body = only().getBodyAsString();
    assertThat(body)
        .matches(
            "\\{\"v\":1,\"jobs\":\\[\\{\"id\":\"[0-9a-z]+\","
                + "\"setting\":\"\\$2b\\$04\\$CCCCCCCCCCCCCCCCCCCCC\\.\","
                + "\"password\":\"czNjcmV0\"}]}");
    String digest = new SpringDigestEngine().digest(SpillCalls.SETTING, SpillCalls.PASSWORD).text();
    assertThat(body).doesNotContain(digest).doesNotContain(digest.substring(0, 8));
  }

  @Test
  void password_isSentByteForByteAndLeftAsItIs() {
    byte[] password = "\u00e9\u0000\u00ff".getBytes(StandardCharsets.ISO_8859_1);
    spill.digest(SpillCalls.SETTING, password, Deadline.in(LONG));
    assertThat(only().getBodyAsString()).contains("\"password\":\"6QD/\"");
    assertThat(password).containsExactly(0xe9, 0, 0xff);
  }

  @Test
  void jobs_haveIdsOfTheirOwn() {
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG));
    }
    function.requests().forEach(request -> ids.add(request.getBodyAsString().split("\"")[7]));
    assertThat(ids).hasSize(50);
  }

  @Test
  void request_isSignedForLambdaInTheRegion() {
    spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG));

    LoggedRequest request = only();
    assertThat(request.getHeader("Authorization"))
        .matches(
            "AWS4-HMAC-SHA256 Credential=test-key/\\d{8}/eu-central-1/lambda/aws4_request, "
                + "SignedHeaders=[a-z0-9;-]+, Signature=[0-9a-f]{64}");
    assertThat(Signature.of(request, "test-secret")).isEqualTo(Signature.sent(request));
    assertThat(Signature.signedHeaders(request)).contains("host", "x-amz-date");
    assertThat(Signature.of(request, "other-secret")).isNotEqualTo(Signature.sent(request));
  }

  @Test
  void arn_isSignedForItsOwnRegion() {
    Spilling.credentials();
    var target = new SpillCalls.Target(ARN, Optional.empty(), Optional.of(Spilling.endpoint()), 2);
    Spill byArn =
        new SpillWiring()
            .spill(
                new SpillCalls.Config(java.util.Map.of("arn", target)),
                SpillCalls.NO_COOL_DOWN,
                new io.micrometer.core.instrument.simple.SimpleMeterRegistry());

    assertThat(byArn.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG)))
        .isInstanceOf(SpillAnswer.Computed.class);
    assertThat(only().getUrl().replace("%3A", ":"))
        .isEqualTo("/2015-03-31/functions/" + ARN + "/invocations");
    assertThat(only().getHeader("Authorization")).contains("/eu-west-3/lambda/aws4_request");
    assertThat(Signature.of(only(), "test-secret")).isEqualTo(Signature.sent(only()));
  }

  /** The client library could log bodies; they hold passwords. */
  @Test
  void nothingOfIt_isLogged() {
    List<String> lines;
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG));
      function.answers(
          (job, digest) -> "{\"password\":\"czNjcmV0\",\"errorMessage\":\"" + digest + "\"}");
      spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG));
      lines = new ArrayList<>(log.lines());
    } finally {
      function.computes();
    }
    lines.removeIf(line -> line.contains("[WireMock]") || line.contains("wiremock"));
    assertThat(lines).noneMatch(line -> line.contains("czNjcmV0") || line.contains("s3cret"));
    assertThat(lines).noneMatch(line -> line.contains("test-secret"));
  }

  private static LoggedRequest only() {
    assertThat(function.requests()).hasSize(1);
    return function.requests().getFirst();
  }
}
