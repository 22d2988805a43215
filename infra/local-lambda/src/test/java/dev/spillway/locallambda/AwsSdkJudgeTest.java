package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvalidRequestContentException;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.LambdaException;
import software.amazon.awssdk.services.lambda.model.LogType;
import software.amazon.awssdk.services.lambda.model.ResourceNotFoundException;
import software.amazon.awssdk.services.lambda.model.ThrottleReason;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/** The judgement of AWS's SDK for Java. Its retries are off: they would hide the throttling. */
class AwsSdkJudgeTest {
  @TempDir static Path directory;
  private static FakeFunction fake;
  private static LocalLambda lambda;
  private static LambdaClient client;

  @BeforeAll
  static void start() throws Exception {
    fake = FakeFunction.in(directory);
    lambda = fake.start(fake.template("", 20, 1), UnaryOperator.identity());
    client = client(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")));
  }

  @AfterAll
  static void stop() {
    client.close();
    lambda.close();
  }

  @Test
  void answer_isReadAsOne() {
    InvokeResponse answer = invoke("Fake", "{\"a\":\"ü\"}");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.functionError()).isNull();
    assertThat(answer.executedVersion()).isEqualTo("1");
    assertThat(answer.payload().asUtf8String()).isEqualTo("{\"a\":\"ü\"}");
  }

  @Test
  void unsignedCall_isServedToo() {
    try (LambdaClient anonymous = client(AnonymousCredentialsProvider.create())) {
      assertThat(anonymous.invoke(call -> call.functionName("Fake")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void arnAndQualifier_areUnderstood() {
    assertThat(invoke(lambda.functionArn("Fake") + ":live", "1").payload().asUtf8String())
        .isEqualTo("1");
    assertThat(client.invoke(call -> call.functionName("Fake").qualifier("$LATEST")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void functionError_isReadAsOne() {
    InvokeResponse answer = invoke("Fake", "\"exit 3\"");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.functionError()).isEqualTo("Unhandled");
    assertThat(answer.payload().asUtf8String()).contains("Runtime.ExitError");
  }

  @Test
  void invocationTypes_haveTheirStatus() {
    long before = lambda.report("Fake").invocations();
    assertThat(
            client
                .invoke(call -> call.functionName("Fake").invocationType(InvocationType.DRY_RUN))
                .statusCode())
        .isEqualTo(204);
    assertThat(
            client
                .invoke(call -> call.functionName("Fake").invocationType(InvocationType.EVENT))
                .statusCode())
        .isEqualTo(202);
    // It comes after its 202: until then there is nothing to be over.
    Observe.until("the event has come", () -> lambda.report("Fake").invocations() == before + 1);
    Observe.until("the event is over", () -> lambda.report("Fake").busy() == 0);
    Observe.until("its permit is back", AwsSdkJudgeTest::isAdmitted);
  }

  private static boolean isAdmitted() {
    try {
      return invoke("Fake", "{}").statusCode() == 200;
    } catch (TooManyRequestsException e) {
      return false;
    }
  }

  @Test
  void logTail_isReadAsOne() {
    assertThat(client.invoke(call -> call.functionName("Fake").logType(LogType.TAIL)).logResult())
        .asBase64Decoded()
        .asString()
        .startsWith("START RequestId: ");
  }

  @Test
  void refusals_areTheirExceptions() {
    var unknown =
        catchThrowableOfType(ResourceNotFoundException.class, () -> invoke("Nobody", "{}"));
    assertThat(unknown.type()).isEqualTo("User");
    assertThat(unknown.awsErrorDetails().errorMessage()).startsWith("Function not found: arn:");
    assertThat(unknown.requestId()).hasSize(36);
    var malformed =
        catchThrowableOfType(InvalidRequestContentException.class, () -> invoke("Fake", "{"));
    assertThat(malformed.type()).isEqualTo("User");
    var large =
        catchThrowableOfType(
            LambdaException.class, () -> invoke("Fake", "\"" + "x".repeat(6_291_455) + "\""));
    assertThat(large.statusCode()).isEqualTo(413);
  }

  @Test
  void throttling_isItsExceptionWithTheReason() throws Exception {
    var held = Caller.of(lambda).begin("\"hold\"");
    Observe.until("busy", () -> lambda.report("Fake").busy() == 1);

    var throttled =
        catchThrowableOfType(TooManyRequestsException.class, () -> invoke("Fake", "{}"));

    assertThat(throttled.statusCode()).isEqualTo(429);
    assertThat(throttled.reason())
        .isEqualTo(ThrottleReason.RESERVED_FUNCTION_CONCURRENT_INVOCATION_LIMIT_EXCEEDED);
    fake.release();
    held.join();
  }

  private static InvokeResponse invoke(String function, String payload) {
    return client.invoke(
        call -> call.functionName(function).payload(SdkBytes.fromUtf8String(payload)));
  }

  private static LambdaClient client(AwsCredentialsProvider credentials) {
    return LambdaClient.builder()
        .endpointOverride(lambda.endpoint())
        .region(Region.of(lambda.region()))
        .credentialsProvider(credentials)
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(config -> config.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .build();
  }
}
