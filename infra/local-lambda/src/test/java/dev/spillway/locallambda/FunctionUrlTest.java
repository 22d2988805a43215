package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.utils.StringInputStream;

/**
 * Function URLs on the wire: what the function gets of a request, and what its caller of the
 * answer.
 */
class FunctionUrlTest {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path directory;
  private FakeFunction fake;
  private LocalLambda lambda;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  @AfterEach
  void stop() {
    lambda.close();
  }

  /** Any path, any method; the fake function answers with the event itself. */
  @Test
  void event_isPayloadFormat2() throws Exception {
    start("NONE", false);
    HttpResponse<String> answer =
        HTTP.send(
            request("/a%20b/c?x=1&x=2&y=%C3%BC&z")
                .header("Content-Type", "application/json; charset=utf-8")
                .header("X-Own", "one")
                .header("X-Own", "two")
                .header("Cookie", "a=1; b=2")
                .method("PUT", HttpRequest.BodyPublishers.ofString("{\"ü\":\"\\n\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    Map<String, Object> event = json(answer);
    assertThat(event)
        .containsEntry("version", "2.0")
        .containsEntry("routeKey", "$default")
        .containsEntry("rawPath", "/a b/c")
        .containsEntry("rawQueryString", "x=1&x=2&y=%C3%BC&z")
        .containsEntry("cookies", java.util.List.of("a=1", "b=2"))
        .containsEntry("queryStringParameters", Map.of("x", "1,2", "y", "ü", "z", ""))
        .containsEntry("body", "{\"ü\":\"\\n\"}")
        .containsEntry("isBase64Encoded", false);
    assertThat(map(event, "headers"))
        .containsEntry("x-own", "one,two")
        .containsEntry("x-forwarded-for", "127.0.0.1")
        .containsEntry("x-forwarded-proto", "http")
        .doesNotContainKey("cookie");
    Map<String, Object> context = map(event, "requestContext");
    assertThat(context)
        .containsEntry("accountId", "anonymous")
        .containsEntry("stage", "$default")
        .containsEntry("requestId", answer.headers().firstValue("x-amzn-RequestId").orElseThrow())
        .containsKeys("apiId", "domainName", "domainPrefix", "time", "timeEpoch")
        .doesNotContainKey("authorizer");
    assertThat(map(context, "http"))
        .containsEntry("method", "PUT")
        .containsEntry("path", "/a b/c")
        .containsEntry("sourceIp", "127.0.0.1");
  }

  @Test
  void emptyRequest_hasNeitherBodyNorParametersNorCookies() throws Exception {
    start("NONE", false);

    assertThat(json(get("/")))
        .containsEntry("rawQueryString", "")
        .containsEntry("isBase64Encoded", false)
        .doesNotContainKeys("body", "queryStringParameters", "cookies");
  }

  @Test
  void bytesThatAreNoText_travelInBase64() throws Exception {
    start("NONE", false);

    HttpResponse<String> answer =
        HTTP.send(
            request("/")
                .header("Content-Type", "application/octet-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[] {0, 1, (byte) 0xff}))
                .build(),
            HttpResponse.BodyHandlers.ofString());

    assertThat(json(answer)).containsEntry("body", "AAH/").containsEntry("isBase64Encoded", true);
  }

  @Test
  void answerWithAStatusCode_saysWhatTheResponseIs() throws Exception {
    start("NONE", false);

    HttpResponse<byte[]> answer =
        HTTP.send(request("/shaped").build(), HttpResponse.BodyHandlers.ofByteArray());

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.body()).containsExactly(0, 1, 0xff);
    assertThat(answer.headers().map())
        .containsEntry("x-own", java.util.List.of("yes"))
        .containsEntry("content-type", java.util.List.of("text/css"))
        .containsEntry("content-length", java.util.List.of("3"))
        .containsEntry("x-amzn-remapped-content-length", java.util.List.of("999"));
    assertThat(answer.headers().allValues("set-cookie")).containsExactlyInAnyOrder("a=1", "b=2");
  }

  @Test
  void answerWithout_isTheBodyOfA200() throws Exception {
    start("NONE", false);

    HttpResponse<String> answer = get("/plain");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualToIgnoringNewLines("{\"plain\":true}");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/error", "/malformed"})
  void errorOfTheFunction_isA502ThatSaysNothing(String path) throws Exception {
    start("NONE", false);

    HttpResponse<String> answer = get(path);
    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).isEqualTo("Internal Server Error");
    assertThat(answer.headers().map()).doesNotContainKey("x-amz-function-error");
  }

  @Test
  void overItsConcurrency_is429() throws Exception {
    start("NONE", false);
    CompletableFuture<HttpResponse<String>> held =
        HTTP.sendAsync(request("/hold").build(), HttpResponse.BodyHandlers.ofString());
    Observe.until("busy", () -> lambda.report("Fake").busy() == 1);

    HttpResponse<String> answer = get("/plain");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("x-amzn-ErrorType"))
        .contains("TooManyRequestsException");
    assertThat(answer.body()).contains("ReservedFunctionConcurrentInvocationLimitExceeded");
    fake.release();
    assertThat(held.join().body()).contains("held");
  }

  @Test
  void overTheLimit_is413() throws Exception {
    start("NONE", false);

    assertThat(
            HTTP.send(
                    request("/plain")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[6_291_457]))
                        .build(),
                    HttpResponse.BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(413);
  }

  @Test
  void ofAuthTypeIam_unsignedIsForbidden_andSignedIsServed() throws Exception {
    start("AWS_IAM", true);

    HttpResponse<String> unsigned = get("/plain");
    assertThat(unsigned.statusCode()).isEqualTo(403);
    assertThat(unsigned.headers().firstValue("x-amzn-ErrorType")).contains("AccessDeniedException");
    assertThat(unsigned.body()).contains("\"Message\":\"Forbidden. For troubleshooting");
    assertThat(signed("secret", "/a%20b?q=%2F&p=1", "{}").statusCode()).isEqualTo(200);
    assertThat(
            map(map(map(json(signed("secret", "/", "{}")), "requestContext"), "authorizer"), "iam"))
        .containsEntry("accessKey", "id");
    HttpResponse<String> wrong = signed("wrong", "/", "{}");
    assertThat(wrong.statusCode()).isEqualTo(403);
    assertThat(wrong.headers().firstValue("x-amzn-ErrorType"))
        .contains("InvalidSignatureException");
  }

  @Test
  void url_isReported() throws Exception {
    start("NONE", false);

    assertThat(Caller.of(lambda).get("/_local/functions/Fake").body())
        .contains("\"url\":\"" + url() + "\"");
  }

  private void start(String auth, boolean demanded) throws IOException {
    Path template = fake.template("", 20, 1);
    Files.writeString(
        template, "      FunctionUrlConfig: {AuthType: " + auth + "}\n", StandardOpenOption.APPEND);
    lambda = fake.start(template, options -> demanded ? options.signer("id", "secret") : options);
  }

  private URI url() {
    return lambda.functionUrls().get("Fake");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url().resolve(path));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** By AWS's own signer. */
  private HttpResponse<String> signed(String secret, String path, String body) throws Exception {
    SdkHttpRequest unsigned =
        SdkHttpRequest.builder().method(SdkHttpMethod.POST).uri(url().resolve(path)).build();
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(
                it ->
                    it.identity(AwsBasicCredentials.create("id", secret))
                        .request(unsigned)
                        .payload(() -> new StringInputStream(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "lambda")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, lambda.region()));
    HttpRequest.Builder request = request(path);
    signed
        .request()
        .forEachHeader(
            (name, values) -> {
              if (!name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                values.forEach(value -> request.header(name, value));
              }
            });
    return HTTP.send(
        request.POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static Map<String, Object> json(HttpResponse<String> answer) {
    return new Yaml().load(answer.body());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Map<String, Object> parent, String key) {
    return (Map<String, Object>) parent.get(key);
  }
}
