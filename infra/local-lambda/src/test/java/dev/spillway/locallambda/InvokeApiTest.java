package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statuses, headers and bodies as they are on the wire. */
class InvokeApiTest {
  @TempDir static Path directory;
  private static LocalLambda lambda;
  private static Caller caller;
  private static FakeFunction fake;

  @BeforeAll
  static void start() throws Exception {
    fake = FakeFunction.in(directory);
    lambda = fake.start();
    caller = Caller.of(lambda);
  }

  @AfterAll
  static void stop() {
    lambda.close();
  }

  @Test
  void success_returnsTheFunctionsBytes() {
    var answer = caller.invoke("{\"text\":\"pässwörd\",\"list\":[1,2.5,null,true]}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"text\":\"pässwörd\",\"list\":[1,2.5,null,true]}");
    assertThat(answer.headers().firstValue("X-Amz-Executed-Version")).contains("1");
    assertThat(answer.headers().firstValue("X-Amz-Function-Error")).isEmpty();
    assertThat(answer.headers().firstValue("x-amzn-RequestId").orElse("")).hasSize(36);
    assertThat(answer.headers().firstValue("X-Amzn-Trace-Id").orElse("")).startsWith("Root=1-");
  }

  @Test
  void emptyBody_isAnEmptyObject() {
    assertThat(caller.invoke("").body()).isEqualTo("{}");
  }

  @Test
  void functionError_isHttp200WithTheFunctionsBody() {
    var answer = caller.invoke("\"error\"");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
    assertThat(answer.body().strip())
        .isEqualTo("{\"errorMessage\":\"refused\",\"errorType\":\"Fake.Error\"}");
  }

  @Test
  void largestResponse_passes() {
    assertThat(caller.invoke("\"largest\"").body()).hasSize(6_291_556);
  }

  @Test
  void largerResponse_isAFunctionError() {
    var answer = caller.invoke("\"large\"");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"errorType\":\"Function.ResponseSizeTooLarge\",\"errorMessage\":\"Response payload"
                + " size exceeded maximum allowed payload size (6291556 bytes).\"}");
  }

  @Test
  void dryRun_runsNothing() {
    long before = lambda.report(FakeFunction.NAME).invocations();

    var answer = send("{}", "X-Amz-Invocation-Type", "DryRun");

    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(lambda.report(FakeFunction.NAME).invocations()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Fake",
        "Fake:live",
        "Fake:1",
        "Fake:$LATEST",
        "Fake%3Alive",
        "000000000000:function:Fake",
        "000000000000:function:Fake:live",
        "arn:aws:lambda:eu-central-1:000000000000:function:Fake",
        "arn%3Aaws%3Alambda%3Aeu-central-1%3A000000000000%3Afunction%3AFake%3Alive"
      })
  void everyFormOfTheName_isUnderstood(String reference) {
    assertThat(caller.send(caller.invocation(reference, "7")).body()).isEqualTo("7");
  }

  @Test
  void qualifierInTheQuery_isUnderstood() {
    assertThat(post("Fake/invocations?Qualifier=live").statusCode()).isEqualTo(200);
    assertThat(post("Fake/invocations?Qualifier=%24LATEST").statusCode()).isEqualTo(200);
    assertThat(post("Fake/invocations?Qualifier=other").statusCode()).isEqualTo(404);
    assertThat(post("Fake:live/invocations?Qualifier=1").statusCode()).isEqualTo(400);
  }

  @Test
  void unknownFunction_is404() {
    var answer = caller.send(caller.invocation("Nobody", "{}"));

    refused(answer, 404, "ResourceNotFoundException");
    assertThat(answer.body())
        .isEqualTo(
            "{\"Type\":\"User\",\"Message\":\"Function not found:"
                + " arn:aws:lambda:eu-central-1:000000000000:function:Nobody\"}");
  }

  @Test
  void elsewhere_isRefused() {
    refused(
        caller.send(caller.invocation("arn:aws:lambda:us-east-1:000000000000:function:Fake", "{}")),
        404,
        "ResourceNotFoundException");
    refused(
        caller.send(
            caller.invocation("arn:aws:lambda:eu-central-1:123456789012:function:Fake", "{}")),
        403,
        "AccessDeniedException");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "hunter2", "{} {}", "{\"a\":}", "\u0000", " "})
  void notJson_is400AndQuotesNothing(String body) {
    var answer = caller.invoke(body);

    refused(answer, 400, "InvalidRequestContentException");
    assertThat(answer.body())
        .startsWith("{\"Type\":\"User\",\"message\":\"Could not parse request body into json: ")
        .doesNotContain("hunter2");
  }

  @Test
  void tooLargeForItsType_is413() {
    String sync = "\"" + "x".repeat(6_291_455) + "\"";
    refused(caller.invoke(sync), 413, "RequestEntityTooLargeException");
    assertThat(caller.invoke(sync).body())
        .contains(
            "6291457 byte payload is too large for the RequestResponse invocation type (limit"
                + " 6291456 bytes)");
    String event = "\"" + "x".repeat(1_048_575) + "\"";
    refused(send(event, "X-Amz-Invocation-Type", "Event"), 413, "RequestEntityTooLargeException");
  }

  @Test
  void otherMediaType_is415() {
    refused(send("<a/>", "Content-Type", "text/xml"), 415, "UnsupportedMediaTypeException");
    assertThat(send("1", "Content-Type", "application/octet-stream").statusCode()).isEqualTo(200);
    assertThat(send("1", "Content-Type", "application/json; charset=utf-8").statusCode())
        .isEqualTo(200);
  }

  @Test
  void wrongParameters_are400() {
    refused(
        send("{}", "X-Amz-Invocation-Type", "Sometimes"), 400, "InvalidParameterValueException");
    refused(send("{}", "X-Amz-Client-Context", "{}"), 400, "InvalidParameterValueException");
    refused(caller.send(caller.invocation("no%20name", "{}")), 400, "ValidationException");
  }

  @Test
  void otherOperations_areRefused() {
    refused(caller.get("/2015-03-31/functions/"), 403, "AccessDeniedException");
    refused(caller.get("/"), 403, "AccessDeniedException");
  }

  @Test
  void localApi_tellsHealthAndCounts() {
    caller.invoke("1");

    assertThat(caller.get("/_local/health").body())
        .isEqualTo("{\"status\":\"UP\",\"functions\":[\"Fake\"]}");
    assertThat(caller.get("/_local/functions/Fake").body())
        .contains("\"name\":\"Fake\"", "\"frozen\":1", "\"throttles\":0", "\"pids\":[");
    assertThat(caller.get("/_local/functions/Nobody").statusCode()).isEqualTo(404);
  }

  @Test
  void logTail_isReturnedOnRequest() {
    send("\"say\"", "X-Amz-Log-Type", "None");
    Observe.until(
        "the tail has it",
        () ->
            send("\"say\"", "X-Amz-Log-Type", "Tail")
                .headers()
                .firstValue("X-Amz-Log-Result")
                .map(java.util.Base64.getDecoder()::decode)
                .map(String::new)
                .orElse("")
                .contains("the function says so"));
  }

  @Test
  void payloads_areNotLogged() {
    caller.invoke("{\"password\":\"correct horse\"}");
    caller.invoke("{\"password\":\"correct horse\"");

    assertThat(fake.log()).noneMatch(line -> line.contains("horse"));
  }

  private static HttpResponse<String> send(String body, String header, String value) {
    return caller.send(caller.invocation("Fake", body).header(header, value));
  }

  private static HttpResponse<String> post(String rest) {
    return caller.send(
        HttpRequest.newBuilder(lambda.endpoint().resolve("/2015-03-31/functions/" + rest))
            .POST(HttpRequest.BodyPublishers.ofString("{}")));
  }

  private static void refused(HttpResponse<String> answer, int status, String code) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("x-amzn-ErrorType")).contains(code);
    assertThat(answer.headers().firstValue("X-Amz-Function-Error")).isEmpty();
  }
}
