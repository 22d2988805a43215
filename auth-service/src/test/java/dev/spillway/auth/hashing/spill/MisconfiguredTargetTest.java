package dev.spillway.auth.hashing.spill;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static dev.spillway.auth.hashing.spill.SpillBench.computed;
import static dev.spillway.auth.hashing.spill.SpillBench.no;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import dev.spillway.auth.CapturedLog;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Targets that are called wrongly: a role, credentials or a clock that does not fit. */
@QuarkusTest
@Timeout(60)
class MisconfiguredTargetTest {
  private final FaultyFunction one = new FaultyFunction();

  @AfterEach
  void close() {
    one.close();
  }

  @Test
  void misconfigured_isSeen_untilItIsCured() throws Exception {
    one.fails(403);
    CoolDown short1 = new CoolDown(Duration.ofMillis(1), Duration.ofMillis(1));
    try (SpillBench bench = new SpillBench(SpillBench.RULES, 50, short1, SpillBench.urls(one))) {
      assertThat(bench.digest()).isEqualTo(no(Reason.MISCONFIGURED));
      assertThat(bench.metered("misconfigured")).isEqualTo(1);
      try (CapturedLog log = CapturedLog.from(Level.WARNING)) {
        await().until(() -> !bench.digest().equals(computed()) && bench.metered("call") > 5);
        assertThat(log.lines()).as("said once").isEmpty();
      }
      one.computes();
      await().until(() -> bench.digest().equals(computed()));
      assertThat(bench.metered("misconfigured")).isZero();
    }
  }

  /** C2: and nothing of a message that may repeat the request, or forge a line. */
  @ParameterizedTest
  @MethodSource("errors")
  void c2_whatAwsSays_isOneLine(ResponseDefinitionBuilder answer, String line) {
    one.answers(answer);
    CoolDown short1 = new CoolDown(Duration.ofMillis(1), Duration.ofMillis(1));
    try (CapturedLog log = CapturedLog.from(Level.WARNING);
        SpillBench bench = new SpillBench(SpillBench.RULES, 50, short1, SpillBench.urls(one))) {
      await().until(() -> !bench.digest().equals(computed()) && one.calls() > 3);
      assertThat(log.lines()).singleElement().asString().endsWith(line);
    }
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        arguments(
            aResponse()
                .withStatus(403)
                .withHeader("x-amzn-RequestId", "6b8c2f4e-1")
                .withHeader("x-amzn-ErrorType", "AccessDeniedException:http://internal")
                .withBody(
                    "{\"Message\":\"User: arn:aws:iam::1:user/a is not authorized to perform:"
                        + " lambda:InvokeFunction\"}"),
            "Spill target t0 answers 403, type AccessDeniedException, message: User:"
                + " arn:aws:iam::1:user/a is not authorized to perform: lambda:InvokeFunction,"
                + " request id 6b8c2f4e-1"),
        arguments(
            aResponse()
                .withStatus(502)
                .withHeader("x-amzn-RequestId", "a\tb")
                .withBody(
                    "{\"Type\":\"User\",\"__type\":\"InvalidRuntimeException\",\"message\":\"no "
                        + "0123456789abcdef".repeat(4)
                        + "\\n\\nforged\"}"),
            "Spill target t0 answers 502, type InvalidRuntimeException, message: no ...,"
                + " request id none"),
        arguments(
            aResponse()
                .withStatus(400)
                .withBody("{\"message\":\"at Source: (byte[])\\\"{password\\\": czNjcmV0\"}"),
            "Spill target t0 answers 400, type none, message: at Source: (byte, request id none"),
        arguments(
            aResponse().withStatus(502).withBody("<html>Bad Gateway</html>"),
            "Spill target t0 answers 502, type none, message: none, request id none"),
        arguments(
            aResponse().withStatus(503).withBody("{\"message\":\"" + "x".repeat(4_000) + "\"}"),
            "Spill target t0 answers 503, type none, message: "
                + "x".repeat(300)
                + ", request id none"));
  }

  /** AWS's chain of providers may have to ask the network, which nothing may wait for in there. */
  @Test
  void withoutCredentials_noCallIsMade_andTheyAreAskedForOnNoEventLoop() {
    boolean[] onEventLoop = new boolean[1];
    try (SpillBench bench =
        new SpillBench(
            () -> {
              onEventLoop[0] = Context.isOnEventLoopThread();
              throw SdkClientException.create("none");
            },
            SpillBench.RULES,
            50,
            SpillBench.hour(),
            SpillBench.urls(one))) {
      assertThat(bench.digest()).isEqualTo(no(Reason.MISCONFIGURED));
      assertThat(one.calls()).isZero();
      assertThat(onEventLoop[0]).isFalse();
    }
  }

  @Test
  void wrongClock_isCorrectedByTheServers_once() {
    Instant theirs = Instant.now().plus(Duration.ofHours(3));
    ResponseDefinitionBuilder expired =
        aResponse()
            .withStatus(403)
            .withHeader("x-amzn-ErrorType", "InvalidSignatureException")
            .withHeader(
                "Date",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    ZonedDateTime.ofInstant(theirs, ZoneOffset.UTC)))
            .withBody("{\"message\":\"Signature expired: it is late\"}");
    one.server().resetMappings();
    one.server()
        .stubFor(
            any(anyUrl())
                .inScenario("clock")
                .whenScenarioStateIs(Scenario.STARTED)
                .willReturn(expired)
                .willSetStateTo("corrected"));
    one.server()
        .stubFor(
            any(anyUrl())
                .inScenario("clock")
                .whenScenarioStateIs("corrected")
                .willReturn(aResponse()));
    try (SpillBench bench = SpillBench.over(one)) {
      assertThat(bench.digest()).isEqualTo(computed());
      assertThat(one.calls()).isEqualTo(2);
      assertThat(bench.digest()).isEqualTo(computed());
      assertThat(one.calls()).as("right from now on").isEqualTo(3);
      assertThat(signedAt(2)).isBetween(theirs.minusSeconds(60), theirs.plusSeconds(120));
      assertThat(bench.metered("retries")).isZero();

      one.answers(expired);
      assertThat(bench.digest()).isEqualTo(no(Reason.MISCONFIGURED));
      assertThat(one.calls()).as("and never again for one call").isEqualTo(5);
    }
  }

  private Instant signedAt(int call) {
    List<Instant> dates = new ArrayList<>();
    one.server()
        .getAllServeEvents()
        .forEach(
            event ->
                dates.addFirst(
                    ZonedDateTime.parse(
                            event.getRequest().getHeader("X-Amz-Date"),
                            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX"))
                        .toInstant()));
    return dates.get(call);
  }
}
