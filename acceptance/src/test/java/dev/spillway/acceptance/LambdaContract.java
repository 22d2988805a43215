package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.model.InvocationType;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.ResourceNotFoundException;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/**
 * What the function answers, and what the auth-service makes of it, on a Lambda that deployed it:
 * the same suite over the stand-in, LocalStack and AWS, and over the JVM's package and the native
 * one.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LambdaContract {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SALT = "$05$CCCCCCCCCCCCCCCCCCCCC.";

  /** Passwords in hexadecimal, settings, and digests by libxcrypt and by PHP. */
  private static final List<String[]> VECTORS =
      List.of(
          new String[] {"", "$2b" + SALT, "7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy"},
          new String[] {"552a55", "$2a" + SALT, "E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"},
          new String[] {"c3a9", "$2b" + SALT, "DvKJiuZKaiEep8jwYdCcoFbV7qNxYdm"},
          new String[] {"65cc81", "$2y" + SALT, "i8ftF58kCptWNIH/1.KWbsnT7cwIchS"},
          new String[] {"61".repeat(72), "$2b" + SALT, "ODcEJfYFxKziEakDsjep8mcF3zSCvHq"},
          new String[] {"ffffa3", "$2y" + SALT, "Qjdj3GXX7D0sFE9jji6wxSTWIhqI3US"},
          new String[] {
            "74657374", "$2y$10$wisIVhmjWjm/lkujDJVAXu", "uYDXiGU/c9HK3mMzqFbfk45PXA527ui"
          });

  @TempDir Path directory;
  private Lambda lambda;

  abstract Lambda start() throws Exception;

  @BeforeAll
  void deploy() throws Exception {
    lambda = start();
  }

  @AfterAll
  void close() throws Exception {
    if (lambda != null) {
      lambda.close();
    }
  }

  /** As many jobs as lanes, fewer and more; jobs of one call have different versions and costs. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  void digests_areThoseOfLibxcrypt(int jobs) throws Exception {
    for (int first = 0; first < VECTORS.size(); first += jobs) {
      List<String[]> asked = VECTORS.subList(first, Math.min(first + jobs, VECTORS.size()));
      Map<String, String> expected = new TreeMap<>();
      List<String> request = new ArrayList<>();
      for (int i = 0; i < asked.size(); i++) {
        String[] vector = asked.get(i);
        request.add(job(i, vector[1], HexFormat.of().parseHex(vector[0])));
        expected.put(Integer.toString(i), vector[2]);
      }
      assertThat(results(call(request(request)))).isEqualTo(expected);
    }
  }

  @Test
  void jobThatCannotBeRun_isDeclined_andItsNeighbourIsNot() throws Exception {
    assertThat(
            results(
                call(
                    request(
                        List.of(
                            job(0, "$2x" + SALT, new byte[0]),
                            job(1, "$2b$16$CCCCCCCCCCCCCCCCCCCCC.", new byte[0]),
                            job(2, "$2b" + SALT, new byte[73]),
                            job(3, "$2b" + SALT, new byte[0]))))))
        .isEqualTo(
            Map.of(
                "0", "bad_setting",
                "1", "bad_setting",
                "2", "bad_password",
                "3", VECTORS.getFirst()[2]));
  }

  @Test
  void requestWithoutJobs_isAnsweredWithNothing() {
    assertThat(call("{\"v\":1,\"jobs\":[]}").payload().asUtf8String())
        .isEqualTo("{\"v\":1,\"results\":[]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "{\"v\":2,\"jobs\":[]}", "{\"v\":1,\"jobs\":\"s3cret\"}"})
  void whatIsNoRequest_isAFunctionErrorThatRepeatsNothing(String event) throws Exception {
    InvokeResponse answer = invoke(event);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.functionError()).isEqualTo("Unhandled");
    JsonNode error = JSON.readTree(answer.payload().asUtf8String());
    assertThat(error.path("errorType").asText()).endsWith("MalformedRequestException");
    assertThat(error.path("errorMessage").asText()).isNotEmpty();
    assertThat(answer.payload().asUtf8String()).doesNotContain("s3cret");
    requestWithoutJobs_isAnsweredWithNothing();
  }

  @Test
  void dryRun_computesNothing() {
    InvokeResponse answer =
        lambda
            .client()
            .invoke(
                call ->
                    call.functionName(lambda.function()).invocationType(InvocationType.DRY_RUN));
    assertThat(answer.statusCode()).isEqualTo(204);
  }

  @Test
  void functionThatIsNotThere_isAnErrorOfTheService() {
    String other = lambda.function().replaceFirst("function:.*", "function:nobody");
    assertThatThrownBy(() -> lambda.client().invoke(call -> call.functionName(other)))
        .isInstanceOf(ResourceNotFoundException.class);
  }

  /** Calls over the limit are refused at once, those within it are not touched. */
  @Test
  void overItsConcurrency_isThrottled() throws Exception {
    String slow =
        request(
            IntStream.range(0, 3)
                .mapToObj(i -> job(i, "$2b$12" + SALT.substring(3), new byte[0]))
                .toList());
    List<Object> outcomes =
        together(
            lambda.concurrency() + 10,
            () -> {
              try {
                return invoke(slow).functionError() == null ? "digests" : "an error";
              } catch (TooManyRequestsException e) {
                return "throttled";
              }
            });
    assertThat(outcomes).contains("digests", "throttled").doesNotContain("an error");
    requestWithoutJobs_isAnsweredWithNothing();
  }

  @Test
  void loginsBeyondThePool_areServedByTheFunction() throws Exception {
    try (Instance service = service(lambda.function(), lambda.concurrency())) {
      assertSpills(service);
    }
  }

  static void assertSpills(Instance service) {
    // The first calls meet cold starts, which on a busy machine may outlast the deadline.
    await()
        .atMost(Duration.ofSeconds(120))
        .until(() -> Burst.of(service, 10, 2, () -> {}).others().isEmpty() && spilled(service) > 1);
    Burst.assertWhole(service);
  }

  @Test
  void throttledLogins_areShedOrServed_neverWrong() throws Exception {
    try (Instance service = service(lambda.function(), lambda.concurrency() + 20)) {
      await()
          .atMost(Duration.ofSeconds(120))
          .until(
              () ->
                  Burst.of(service, lambda.concurrency() + 30, 5, () -> {}).others().isEmpty()
                      && throttled(service) > 0);
      Burst.assertWhole(service);
      await().until(() -> service.login("demo", "demo-password").statusCode() == 200);
    }
  }

  @Test
  void functionThatIsNotThere_costsNoLoginItsVerdict() throws Exception {
    String nobody = lambda.function().replaceFirst("function:[^:]*", "function:nobody");
    try (Instance service = service(nobody, 10)) {
      Burst burst = Burst.of(service, 20, 5, () -> {});

      assertThat(burst.others()).isEmpty();
      assertThat(burst.granted()).isPositive();
      assertThat(spilled(service)).isZero();
      Burst.assertWhole(service);
    }
  }

  private Instance service(String function, int outstanding) throws Exception {
    Map<String, String> target = new TreeMap<>(lambda.serviceConfig("it"));
    target.put("spillway.spill.targets.it.function", function);
    return service(target, outstanding);
  }

  /** An auth-service whose pool is full at once, spilling to this target. */
  Instance service(Map<String, String> target, int outstanding) throws Exception {
    Map<String, String> config = new TreeMap<>(target);
    config.put("spillway.spill.targets.it.max-outstanding", Integer.toString(outstanding));
    config.put("spillway.data-dir", directory.resolve("data").toString());
    config.put("spillway.hashing.cost", "10");
    // A pool that is full at once, and callers from loopback, whom the throttle lets be.
    config.put("spillway.pool.threads", "1");
    config.put("spillway.pool.lanes", "1");
    config.put("spillway.pool.enqueue-timeout", "1ms");
    config.put("spillway.pool.priority", "normal");
    Instance service = Instance.start(directory, config);
    try {
      await().atMost(Duration.ofSeconds(120)).until(service::isReady);
      return service;
    } catch (RuntimeException | Error e) {
      service.close();
      throw e;
    }
  }

  private static double spilled(Instance service) throws Exception {
    return service.metric("spillway_hashing_total", "spilled");
  }

  private static double throttled(Instance service) throws Exception {
    return service.metric("spillway_spill_call_seconds_count", "outcome=\"throttled\"");
  }

  private static <T> List<T> together(int callers, Callable<T> call) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures =
          IntStream.range(0, callers).mapToObj(i -> threads.submit(call)).toList();
      List<T> outcomes = new ArrayList<>();
      for (Future<T> future : futures) {
        outcomes.add(future.get());
      }
      return outcomes;
    }
  }

  /** An answer that is none of an error. */
  private InvokeResponse call(String event) {
    InvokeResponse answer = invoke(event);
    assertThat(answer.functionError()).as(answer.payload().asUtf8String()).isNull();
    return answer;
  }

  private InvokeResponse invoke(String event) {
    return lambda
        .client()
        .invoke(
            call -> call.functionName(lambda.function()).payload(SdkBytes.fromUtf8String(event)));
  }

  /** Digest, or why there is none, by the job's id. */
  private static Map<String, String> results(InvokeResponse answer) throws Exception {
    Map<String, String> results = new TreeMap<>();
    for (JsonNode result : JSON.readTree(answer.payload().asUtf8String()).path("results")) {
      results.put(
          result.path("id").asText(),
          result.path(result.has("digest") ? "digest" : "error").asText());
    }
    return results;
  }

  private static String request(List<String> jobs) {
    return "{\"v\":1,\"jobs\":[" + String.join(",", jobs) + "]}";
  }

  private static String job(int id, String setting, byte[] password) {
    return "{\"id\":\"%d\",\"setting\":\"%s\",\"password\":\"%s\"}"
        .formatted(id, setting, Base64.getEncoder().encodeToString(password));
  }
}
