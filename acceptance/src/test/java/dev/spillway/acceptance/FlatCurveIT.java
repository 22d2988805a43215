package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Far more logins than can be served take nothing from those that are. Everything is counted and
 * compared with what the same service did a moment before, so that a slow machine is no failure.
 */
@Timeout(180)
class FlatCurveIT {
  private static final Duration PHASE = Duration.ofSeconds(6);
  private static final int TIMES = 40;

  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger granted = new AtomicInteger();
  private final Set<Integer> statuses = ConcurrentHashMap.newKeySet();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path data;
  private Instance service;

  @AfterEach
  void stop() throws Exception {
    http.shutdownNow();
    service.close();
  }

  @Test
  void fortyTimesThePeak_isAnsweredLikeThePeakAndLeavesNoLine() throws Exception {
    // One permit, so that forty times the peak is a rate that this test can offer. A line that is
    // bounded by the deadline of a login only would grow to more than half a minute.
    service =
        Instance.start(
            data,
            Map.of(
                "spillway.data-dir", data.resolve("data").toString(),
                "spillway.pool.threads", "1",
                "spillway.pool.lanes", "1",
                "spillway.hashing.cost", "10",
                "spillway.hashing.deadline", "40s"));
    await().atMost(Duration.ofSeconds(90)).until(service::isReady);

    int peak = grantedToClientsThatWait();

    granted.set(0);
    answered.set(0);
    sent.set(0);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      offer(clients, TIMES * peak);
      int grantedMeanwhile = granted.get();
      int inLine = sent.get() - answered.get();
      assertThat(grantedMeanwhile)
          .as("answered 200 of %d, where clients that wait had %d", sent.get(), peak)
          .isGreaterThanOrEqualTo(peak / 3);
      assertThat(inLine)
          .as("without an answer when no more came")
          .isLessThanOrEqualTo(TIMES * peak / 10);
    }
    assertThat(statuses).isSubsetOf(200, 503);
    Burst.assertWhole(service);
  }

  /** Two keep the one permit busy. */
  private int grantedToClientsThatWait() {
    long end = System.nanoTime() + PHASE.toNanos();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < 2; client++) {
        clients.submit(
            () -> {
              while (System.nanoTime() - end < 0) {
                login();
              }
            });
      }
    }
    return granted.get();
  }

  /** Evenly over the phase, whether or not any is answered. */
  private void offer(ExecutorService clients, int logins) throws InterruptedException {
    long start = System.nanoTime();
    for (int i = 0; i < logins; i++) {
      long due = start + i * PHASE.toNanos() / logins;
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      clients.submit(this::login);
    }
  }

  private void login() {
    int number = sent.incrementAndGet();
    int status;
    try {
      status =
          http.send(
                  HttpRequest.newBuilder(service.uri("/login"))
                      .timeout(Duration.ofSeconds(60))
                      .header("Content-Type", "application/json")
                      .header(
                          "X-Forwarded-For",
                          "10.%d.%d.1".formatted(number >> 8 & 0xff, number & 0xff))
                      .POST(
                          HttpRequest.BodyPublishers.ofString(
                              "{\"login\":\"demo\",\"password\":\"demo-password\"}"))
                      .build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode();
    } catch (Exception e) {
      status = 0;
    }
    statuses.add(status);
    answered.incrementAndGet();
    if (status == 200) {
      granted.incrementAndGet();
    }
  }
}
