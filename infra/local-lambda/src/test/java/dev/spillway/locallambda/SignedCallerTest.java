package dev.spillway.locallambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.locallambda.fault.Fault;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.LambdaException;

/** Signatures demanded, made by AWS's SDK for Java and by botocore. */
class SignedCallerTest {
  private static final String BOTOCORE =
      """
      import sys, botocore.session
      endpoint, region, secret, function = sys.argv[1:]
      session = botocore.session.Session()
      session.set_credentials("id", secret)
      client = session.create_client("lambda", region_name=region, endpoint_url=endpoint)
      answer = client.invoke(FunctionName=function, Qualifier="live", Payload=sys.stdin.buffer.read())
      sys.stdout.buffer.write(answer["Payload"].read())
      """;

  @TempDir static Path directory;
  private static LocalLambda lambda;

  @BeforeAll
  static void start() throws Exception {
    FakeFunction fake = FakeFunction.in(directory);
    lambda = fake.start(fake.template("", 20, 4), options -> options.signer("id", "secret"));
  }

  @AfterAll
  static void stop() {
    lambda.close();
  }

  @Test
  void signedBySdk_isServed() {
    try (LambdaClient client = client("id", "secret", lambda.region())) {
      for (String function : List.of("Fake", lambda.functionArn("Fake") + ":live", "Fake:live")) {
        assertThat(
                client
                    .invoke(
                        call ->
                            call.functionName(function)
                                .payload(SdkBytes.fromUtf8String("{\"ü\": \"x y\"}")))
                    .payload()
                    .asUtf8String())
            .isEqualTo("{\"ü\": \"x y\"}");
      }
      assertThat(
              client
                  .invoke(call -> call.functionName("Fake").qualifier("$LATEST"))
                  .payload()
                  .asUtf8String())
          .isEqualTo("{}");
    }
  }

  @Test
  void signedWrong_isRefusedInAwssWords() {
    refused("id", "wrong", lambda.region(), "InvalidSignatureException", "does not match");
    refused("other", "secret", lambda.region(), "UnrecognizedClientException", "token");
    refused("id", "secret", "us-east-1", "InvalidSignatureException", "valid region");
  }

  @Test
  void unsigned_isRefused() {
    HttpResponse<String> answer = Caller.of(lambda).invoke("{}");

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.headers().firstValue("x-amzn-ErrorType"))
        .contains("MissingAuthenticationTokenException");
    assertThat(answer.body()).contains("\"message\":\"Missing Authentication Token\"");
  }

  @Test
  void halfSigned_isRefused() {
    var caller = Caller.of(lambda);
    HttpResponse<String> answer =
        caller.send(
            caller
                .invocation("Fake", "{}")
                .header("Authorization", "AWS4-HMAC-SHA256 Credential="));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.headers().firstValue("x-amzn-ErrorType"))
        .contains("IncompleteSignatureException");
  }

  @Test
  void signedAtAnotherTime_isRefusedForThat() {
    lambda.inject(Fault.CLOCK_OFF);
    try {
      refused("id", "secret", lambda.region(), "InvalidSignatureException", "Signature");
    } finally {
      lambda.heal();
      // The SDK has set its clock by that answer, for the whole JVM: it is to learn of ours again.
      refused("id", "secret", lambda.region(), "InvalidSignatureException", "Signature");
    }
  }

  @Test
  void tooLarge_isToldSo_beforeItsSignatureIsLookedAt() {
    try (LambdaClient client = client("id", "secret", lambda.region())) {
      SdkBytes large = SdkBytes.fromUtf8String("\"" + "x".repeat(6_291_455) + "\"");
      LambdaException refusal =
          catchThrowableOfType(
              LambdaException.class,
              () -> client.invoke(call -> call.functionName("Fake").payload(large)));
      assertThat(refusal.statusCode()).isEqualTo(413);
    }
  }

  /** Signs other headers than the SDK, and not the hash of the body. */
  @Test
  void signedByBotocore_isServed_andRefusedWithAWrongSecret() throws Exception {
    Path python = python();
    boolean there = Files.isExecutable(python);
    if (!there) {
      System.out.println(
          "signedByBotocore skipped: no " + python + "; ./spillway check-template makes it");
    }
    assumeTrue(there, "no botocore");
    assertThat(botocore(python, "secret", lambda.functionArn("Fake"))).contains("{\"ü\": 1}");
    assertThat(botocore(python, "secret", "Fake")).contains("{\"ü\": 1}");
    assertThat(botocore(python, "wrong", "Fake")).contains("InvalidSignatureException");
  }

  /** Beside the AWS CLI, of which botocore is the larger part. */
  private static Path python() {
    String cli = System.getenv("SPILLWAY_AWS_CLI");
    Path home = Path.of("").toAbsolutePath().getParent().getParent();
    return cli == null || cli.isBlank()
        ? home.resolve(".venv/bin/python")
        : Path.of(cli).resolveSibling("python");
  }

  private static String botocore(Path python, String secret, String function) throws Exception {
    Process process =
        new ProcessBuilder(
                python.toString(),
                "-c",
                BOTOCORE,
                lambda.endpoint().toString(),
                lambda.region(),
                secret,
                function)
            .redirectErrorStream(true)
            .start();
    // Not as an argument: there the locale says what can be written.
    try (OutputStream in = process.getOutputStream()) {
      in.write("{\"ü\": 1}".getBytes(UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return output;
  }

  private static void refused(
      String id, String secret, String region, String code, String message) {
    try (LambdaClient client = client(id, secret, region)) {
      LambdaException refusal =
          catchThrowableOfType(
              LambdaException.class, () -> client.invoke(call -> call.functionName("Fake")));
      assertThat(refusal.statusCode()).isEqualTo(403);
      assertThat(refusal.awsErrorDetails().errorCode()).isEqualTo(code);
      assertThat(refusal.awsErrorDetails().errorMessage()).contains(message);
    }
  }

  private static LambdaClient client(String id, String secret, String region) {
    return LambdaClient.builder()
        .endpointOverride(lambda.endpoint())
        .region(Region.of(region))
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(id, secret)))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(config -> config.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .build();
  }
}
