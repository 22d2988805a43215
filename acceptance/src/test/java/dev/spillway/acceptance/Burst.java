package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many logins at once, and what came back. */
record Burst(int granted, int shed, List<String> others) {
  /** Sends {@code right} right and {@code wrong} wrong logins at the same moment. */
  static Burst of(AuthService service, int right, int wrong, Runnable inMidBurst) throws Exception {
    List<Future<HttpResponse<String>>> rightOnes = new ArrayList<>();
    List<Future<HttpResponse<String>>> wrongOnes = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < right; i++) {
        rightOnes.add(clients.submit(() -> service.login("demo", "demo-password")));
      }
      for (int i = 0; i < wrong; i++) {
        wrongOnes.add(clients.submit(() -> service.login("demo", "demo-passwort")));
      }
      inMidBurst.run();
    }
    int granted = 0;
    int shed = 0;
    List<String> others = new ArrayList<>();
    for (Future<HttpResponse<String>> one : rightOnes) {
      HttpResponse<String> answer = one.get();
      switch (answer.statusCode()) {
        case 200 -> granted++;
        case 503 -> shed += retryable(answer);
        default -> others.add("right password: " + answer.statusCode() + " " + answer.body());
      }
    }
    for (Future<HttpResponse<String>> one : wrongOnes) {
      HttpResponse<String> answer = one.get();
      switch (answer.statusCode()) {
        case 401 -> {}
        case 503 -> shed += retryable(answer);
        default -> others.add("wrong password: " + answer.statusCode());
      }
    }
    return new Burst(granted, shed, others);
  }

  /** Every permit is back, nobody waits, nothing is outstanding. */
  static void assertWhole(AuthService service) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(service.metric("spillway_pool_permits_used", "")).isZero();
              assertThat(service.metric("spillway_pool_waiting", "")).isZero();
              assertThat(service.metric("spillway_spill_outstanding{", "")).isZero();
            });
  }

  private static int retryable(HttpResponse<String> answer) {
    assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    return 1;
  }
}
