package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.locallambda.fault.Fault;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that show in HTTP; those of connections and processes have tests of their own. */
class FaultTest {
  private static final String DIGEST = "7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy";
  private static final String ANSWER =
      "{\"v\":1,\"results\":[{\"id\":\"a\",\"digest\":\"%s\"},{\"id\":\"b\",\"digest\":\"%s\"}]}"
          .formatted(DIGEST, DIGEST);

  @TempDir static Path directory;
  private static LocalLambda lambda;
  private static Caller caller;

  @BeforeAll
  static void start() throws Exception {
    lambda = FakeFunction.in(directory).start();
    caller = Caller.of(lambda);
  }

  @AfterAll
  static void stop() {
    lambda.close();
  }

  @AfterEach
  void heal() {
    lambda.heal();
    assertThat(caller.invoke("7").body()).as("healed").isEqualTo("7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          THROTTLED_CONCURRENCY          | 429 | TooManyRequestsException       | ConcurrentInvocationLimitExceeded
          THROTTLED_RATE                 | 429 | TooManyRequestsException       | FunctionInvocationRateLimitExceeded
          THROTTLED_RESERVED_CONCURRENCY | 429 | TooManyRequestsException       | ReservedFunctionConcurrentInvocationLimitExceeded
          THROTTLED_RESERVED_RATE        | 429 | TooManyRequestsException       | ReservedFunctionInvocationRateLimitExceeded
          THROTTLED_CALLER               | 429 | TooManyRequestsException       | CallerRateLimitExceeded
          THROTTLED_SNAPSHOTS            | 429 | TooManyRequestsException       | ConcurrentSnapshotCreateLimitExceeded
          INTERNAL_ERROR                 | 500 | ServiceException               |
          BAD_GATEWAY                    | 502 | EC2UnexpectedException         |
          UNAVAILABLE                    | 503 | ServiceUnavailableException    |
          FORBIDDEN                      | 403 | AccessDeniedException          |
          NOT_FOUND                      | 404 | ResourceNotFoundException      |
          TOO_LARGE                      | 413 | RequestEntityTooLargeException |
          """)
  void refused_withoutTheFunction(Fault fault, int status, String code, String reason) {
    long before = lambda.report(FakeFunction.NAME).invocations();
    lambda.inject(fault);

    var answer = caller.invoke("{}");

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("x-amzn-ErrorType")).contains(code);
    assertThat(answer.headers().firstValue("X-Amz-Executed-Version")).isEmpty();
    assertThat(answer.body()).contains("\"Type\":\"" + (status < 500 ? "User" : "Service") + "\"");
    if (reason != null) {
      assertThat(answer.body()).contains("\"Reason\":\"" + reason + "\"");
    }
    assertThat(lambda.report(FakeFunction.NAME).invocations()).isEqualTo(before);
  }

  @Test
  void failsFast_startsNothing() {
    long before = lambda.report(FakeFunction.NAME).invocations();
    lambda.inject(Fault.FAILS_FAST);

    assertThat(caller.invoke("{}").headers().firstValue("X-Amz-Function-Error"))
        .contains("Unhandled");

    assertThat(lambda.report(FakeFunction.NAME).invocations()).isEqualTo(before);
  }

  /** This one answers with what it is given, Spillway's throws. */
  @Test
  void functionError_isAnEventTheFunctionDoesNotExpect() {
    lambda.inject(Fault.FUNCTION_ERROR);
    assertThat(caller.invoke(ANSWER).body()).isEqualTo("{}");
  }

  @Test
  void spoilt_arrivesAs() {
    assertThat(spoilt(Fault.HTML)).startsWith("<!DOCTYPE html>");
    assertThat(caller.invoke(ANSWER).headers().firstValue("Content-Type")).contains("text/html");
    assertThat(spoilt(Fault.EMPTY)).isEmpty();
    assertThat(ANSWER).startsWith(spoilt(Fault.TRUNCATED)).hasSizeGreaterThan(20);
    assertThat(spoilt(Fault.WRONG_ID))
        .isEqualTo(ANSWER.replace("\"a\"", "\"a0\"").replace("\"b\"", "\"b0\""));
    assertThat(spoilt(Fault.WRONG_DIGEST)).doesNotContain(DIGEST).hasSameSizeAs(ANSWER);
    assertThat(spoilt(Fault.SHORT_DIGEST)).contains("\"" + DIGEST.substring(1) + "\"");
    assertThat(spoilt(Fault.LONG_DIGEST)).contains("\"" + DIGEST + ".\"");
  }

  /** A function's error is its own, whatever the fault does to answers. */
  @Test
  void errors_areNotSpoilt() {
    lambda.inject(Fault.WRONG_ID);
    assertThat(caller.invoke("\"error\"").headers().firstValue("X-Amz-Function-Error"))
        .contains("Unhandled");
  }

  @Test
  void clockOff_refusesSignaturesOfTheRightTime_underItsOwnDate() {
    lambda.inject(Fault.CLOCK_OFF);
    Instant now = Instant.now();
    Instant theirs = now.plus(Duration.ofMinutes(10));

    var answer = signedAt(now);

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.headers().firstValue("x-amzn-ErrorType"))
        .contains("InvalidSignatureException");
    assertThat(answer.body()).contains("Signature expired: ").contains(" - 5 min.)");
    assertThat(date(answer)).isBetween(theirs.minusSeconds(2), theirs.plusSeconds(30));
    assertThat(signedAt(date(answer)).statusCode()).isEqualTo(200);
    assertThat(caller.invoke("7").statusCode()).as("not signed").isEqualTo(200);
  }

  @Test
  void rightClock_refusesSignaturesOfAnotherTime() {
    assertThat(signedAt(Instant.now()).statusCode()).isEqualTo(200);
    assertThat(signedAt(Instant.now().minusSeconds(310)).body()).contains("Signature expired");
    assertThat(signedAt(Instant.now().plusSeconds(310)).body()).contains("not yet current");
    assertThat(signedAt("tomorrow").statusCode()).isEqualTo(403);
  }

  @Test
  void dryRunsAndEvents_areSpared() {
    long before = lambda.report(FakeFunction.NAME).invocations();
    lambda.inject(Fault.INTERNAL_ERROR);
    for (String type : new String[] {"DryRun", "Event"}) {
      assertThat(
              caller
                  .send(
                      caller
                          .invocation(FakeFunction.NAME, "{}")
                          .header("X-Amz-Invocation-Type", type))
                  .statusCode())
          .isBetween(202, 204);
    }
    // It comes after its 202, and the next count must not include it.
    Observe.until(
        "the event has come", () -> lambda.report(FakeFunction.NAME).invocations() == before + 1);
  }

  @Test
  void localApi_turnsItOnAndOff() {
    assertThat(local("GET", "").body())
        .startsWith("{\"present\":null,\"known\":{\"throttled-concurrency\":\"429, ");
    assertThat(local("PUT", "/html").body()).startsWith("{\"present\":\"html\",");
    assertThat(caller.invoke("1").body()).startsWith("<!DOCTYPE html>");
    assertThat(local("PUT", "/nonsense").statusCode()).isEqualTo(400);
    assertThat(local("POST", "/html").statusCode()).isEqualTo(403);
    assertThat(local("GET", "").body()).startsWith("{\"present\":\"html\",");
    assertThat(local("DELETE", "").body()).startsWith("{\"present\":null,");
    assertThat(caller.invoke("1").body()).isEqualTo("1");
  }

  @Test
  void fromTheStart_asConfigured(@TempDir Path other) throws Exception {
    FakeFunction fake = FakeFunction.in(other);
    try (var born = fake.start(fake.template("", 20, 2), config -> config.fault(Fault.EMPTY))) {
      assertThat(Caller.of(born).invoke("1").body()).isEmpty();
      assertThat(fake.log()).contains("fault: empty");
    }
  }

  @ParameterizedTest
  @EnumSource
  void label_namesIt(Fault fault) {
    assertThat(fault.label()).matches("[a-z]+(-[a-z]+)*");
    assertThat(Fault.labelled(fault.label())).contains(fault);
    assertThat(Fault.list().lines().filter(line -> line.startsWith(fault.label() + " ")))
        .as("a line")
        .hasSize(1)
        .allMatch(line -> line.endsWith(fault.description()));
  }

  private static String spoilt(Fault fault) {
    lambda.inject(fault);
    var answer = caller.invoke(ANSWER);
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body();
  }

  private static HttpResponse<String> signedAt(Instant time) {
    return signedAt(
        DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX").format(time.atOffset(ZoneOffset.UTC)));
  }

  private static HttpResponse<String> signedAt(String time) {
    return caller.send(caller.invocation(FakeFunction.NAME, "1").header("X-Amz-Date", time));
  }

  private static Instant date(HttpResponse<?> answer) {
    return ZonedDateTime.parse(
            answer.headers().firstValue("Date").orElseThrow(), DateTimeFormatter.RFC_1123_DATE_TIME)
        .toInstant();
  }

  private static HttpResponse<String> local(String method, String rest) {
    return caller.send(
        HttpRequest.newBuilder(lambda.endpoint().resolve("/_local/fault" + rest))
            .method(method, HttpRequest.BodyPublishers.noBody()));
  }
}
