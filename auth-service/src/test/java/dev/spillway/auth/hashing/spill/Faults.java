package dev.spillway.auth.hashing.spill;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import java.util.function.Consumer;

/** What a function, or whatever answers in its place, may do other than compute. */
public enum Faults {
  THROTTLED(Reason.THROTTLED, status(429)),
  INTERNAL_ERROR(Reason.UNAVAILABLE, status(500)),
  BAD_GATEWAY(Reason.UNAVAILABLE, status(502)),
  UNAVAILABLE(Reason.UNAVAILABLE, status(503)),
  GATEWAY_TIMEOUT(Reason.UNAVAILABLE, status(504)),
  BAD_REQUEST(Reason.REJECTED, status(400)),
  UNAUTHORIZED(Reason.MISCONFIGURED, status(401)),
  FORBIDDEN(Reason.MISCONFIGURED, status(403)),
  NOT_FOUND(Reason.MISCONFIGURED, status(404)),
  TOO_LARGE(Reason.REJECTED, status(413)),
  ACCEPTED(Reason.REJECTED, status(202)),
  NO_CONTENT(Reason.REJECTED, aResponse().withStatus(204)),
  FOUND_ELSEWHERE(Reason.REJECTED, status(302).withHeader("Location", "/elsewhere")),
  MOVED_WITH_ITS_BODY(Reason.REJECTED, status(307).withHeader("Location", "/elsewhere")),
  FUNCTION_ERROR(
      Reason.FUNCTION_ERROR,
      aResponse()
          .withStatus(200)
          .withHeader("X-Amz-Function-Error", "Unhandled")
          .withBody("{\"errorMessage\":\"no\",\"errorType\":\"Error\"}")),
  /** The header decides, whatever the body says. */
  FUNCTION_ERROR_WITH_A_DIGEST(
      Reason.FUNCTION_ERROR,
      function ->
          function.answers(
              aResponse()
                  .withStatus(200)
                  .withHeader("x-amz-function-error", "Unhandled")
                  .withTransformers("computes"))),
  ERROR_WITHOUT_THE_HEADER(Reason.MALFORMED, ok("{\"errorMessage\":\"Task timed out\"}")),
  HTML(
      Reason.MALFORMED,
      ok("<html><body>Please log in</body></html>").withHeader("Content-Type", "text/html")),
  EMPTY(Reason.MALFORMED, aResponse().withStatus(200)),
  NULL(Reason.MALFORMED, ok("null")),
  WORDS(Reason.MALFORMED, ok("true")),
  ZEROES(Reason.MALFORMED, aResponse().withStatus(200).withBody(new byte[1_000])),
  HUGE(Reason.MALFORMED, aResponse().withStatus(200).withBody(new byte[1 << 20])),
  TRUNCATED(
      Reason.MALFORMED,
      answer(
          (job, digest) -> {
            String body = FakeFunction.right(job, digest);
            return body.substring(0, body.length() - 2);
          })),
  TRAILING(Reason.MALFORMED, answer((job, digest) -> FakeFunction.right(job, digest) + "{}")),
  OTHER_VERSION(
      Reason.MALFORMED,
      answer((job, digest) -> FakeFunction.right(job, digest).replace("\"v\":1", "\"v\":2"))),
  NO_RESULTS(Reason.MALFORMED, answer((job, digest) -> FakeFunction.results())),
  WRONG_ID(
      Reason.MALFORMED,
      answer((job, digest) -> FakeFunction.results(FakeFunction.result(job.id() + "x", digest)))),
  TWO_RESULTS(
      Reason.MALFORMED,
      answer(
          (job, digest) ->
              FakeFunction.results(
                  FakeFunction.result(job.id(), digest), FakeFunction.result(job.id(), digest)))),
  DIGEST_AND_ERROR(
      Reason.MALFORMED,
      answer(
          (job, digest) ->
              FakeFunction.right(job, digest).replace("\"}", "\",\"error\":\"internal\"}"))),
  SHORT_DIGEST(
      Reason.MALFORMED, answer((job, digest) -> FakeFunction.right(job, digest.substring(1)))),
  LONG_DIGEST(Reason.MALFORMED, answer((job, digest) -> FakeFunction.right(job, digest + "."))),
  WHOLE_HASH(
      Reason.MALFORMED, answer((job, digest) -> FakeFunction.right(job, job.setting() + digest))),
  DIGEST_OF_OTHER_LETTERS(
      Reason.MALFORMED, answer((job, digest) -> FakeFunction.right(job, "!".repeat(31)))),
  DECLINED(Reason.DECLINED, declined("out_of_time")),
  DECLINED_IN_A_NEW_WORD(Reason.DECLINED, declined("tired")),
  SEAL_OF_AN_UNKNOWN_KEY(Reason.SEAL_REFUSED, declined("unknown_seal_key")),
  BROKEN_SEAL(Reason.SEAL_REFUSED, declined("broken_seal")),
  STALE_SEAL(Reason.SEAL_REFUSED, declined("stale_seal")),
  NO_SEAL(Reason.SEAL_REFUSED, declined("unsealed")),
  CLOSED_WITHOUT_AN_ANSWER(Reason.UNREACHABLE, aResponse().withFault(Fault.EMPTY_RESPONSE)),
  RESET(Reason.UNREACHABLE, aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)),
  GARBAGE_IN_MID_BODY(Reason.UNREACHABLE, aResponse().withFault(Fault.MALFORMED_RESPONSE_CHUNK)),
  NOT_HTTP(Reason.UNREACHABLE, aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE));

  private final Reason reason;
  private final Consumer<FakeFunction> provocation;

  Faults(Reason reason, Consumer<FakeFunction> provocation) {
    this.reason = reason;
    this.provocation = provocation;
  }

  Faults(Reason reason, ResponseDefinitionBuilder response) {
    this(reason, function -> function.answers(response));
  }

  /** What the spill makes of it. */
  Reason reason() {
    return reason;
  }

  public void provoke(FakeFunction function) {
    provocation.accept(function);
  }

  private static ResponseDefinitionBuilder status(int status) {
    return aResponse().withStatus(status).withBody("{\"Message\":\"no\"}");
  }

  private static ResponseDefinitionBuilder ok(String body) {
    return aResponse().withStatus(200).withBody(body);
  }

  private static Consumer<FakeFunction> declined(String word) {
    return answer(
        (job, digest) ->
            FakeFunction.results("{\"id\":\"%s\",\"error\":\"%s\"}".formatted(job.id(), word)));
  }

  private static Consumer<FakeFunction> answer(FakeFunction.Answer answer) {
    return function -> function.answers(answer);
  }
}
