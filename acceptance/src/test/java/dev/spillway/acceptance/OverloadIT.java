package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One instance with nowhere to spill to, and far more logins than it can serve. */
@Timeout(180)
class OverloadIT {
  /** What an orchestrator's probe waits by default before it counts as failed. */
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

  @TempDir Path data;
  private Instance service;

  @AfterEach
  void stop() throws Exception {
    service.close();
  }

  /** The restart of a pod whose liveness starved took the rest of the service with it. */
  @Test
  void liveness_isAnsweredInTimeThroughoutABurstOf150() throws Exception {
    start(Map.of());
    List<Duration> probes = new ArrayList<>();
    AtomicLong stalled = new AtomicLong();
    Thread machine = Thread.ofPlatform().daemon().start(() -> longestStall(stalled));
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> logins = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        logins.add(clients.submit(() -> service.login("demo", "demo-password").statusCode()));
      }
      do {
        long start = System.nanoTime();
        assertThat(service.get("/q/health/live").statusCode()).isEqualTo(200);
        probes.add(Duration.ofNanos(System.nanoTime() - start));
      } while (!logins.stream().allMatch(Future::isDone));
      assertThat(logins).extracting(Future::get).isSubsetOf(200, 503);
    }
    machine.interrupt();
    // A machine that stands still answers nobody; what it stood still is not the service's.
    Duration limit = PROBE_TIMEOUT.plusNanos(stalled.get());
    assertThat(probes).allMatch(took -> took.compareTo(limit) < 0);
    assertServesAgain();
  }

  /** A line for each would make the log the next thing that is overloaded. */
  @Test
  void tenThousandRefusals_addNextToNothingToTheLog() throws Exception {
    start(
        Map.of(
            "spillway.pool.threads", "1",
            "spillway.pool.lanes", "1",
            "spillway.pool.enqueue-timeout", "1ms",
            "spillway.pool.max-wait", "500ms",
            "spillway.hashing.deadline", "1s",
            // Its warnings are of a machine that stood still, with a stack trace each.
            "quarkus.vertx.max-event-loop-execute-time", "1h",
            "quarkus.vertx.warning-exception-time", "1h"));
    long before = logLines();
    Map<Integer, Integer> answers = new ConcurrentHashMap<>();
    Semaphore atOnce = new Semaphore(500);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 10_000; i++) {
        atOnce.acquire();
        clients.submit(
            () -> {
              try {
                int status = service.login("demo", "demo-password").statusCode();
                return answers.merge(status, 1, Integer::sum);
              } finally {
                atOnce.release();
              }
            });
      }
    }
    assertThat(answers.keySet()).isSubsetOf(200, 503);
    assertThat(answers.get(503)).isGreaterThan(9_000);
    assertThat(logLines() - before).isLessThan(10);
    assertServesAgain();
  }

  /** By how much a thread that sleeps for 10 ms woke up late, at most, until it is interrupted. */
  private static void longestStall(AtomicLong nanos) {
    Duration nap = Duration.ofMillis(10);
    try {
      while (true) {
        long asleep = System.nanoTime();
        Thread.sleep(nap);
        long late = System.nanoTime() - asleep - nap.toNanos();
        nanos.accumulateAndGet(late, Math::max);
      }
    } catch (InterruptedException enough) {
      Thread.currentThread().interrupt();
    }
  }

  /** After a burst, whatever became of its logins. */
  private void assertServesAgain() throws Exception {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> service.login("demo", "demo-password").statusCode() == 200);
    Burst.assertWhole(service);
  }

  private void start(Map<String, String> config) throws IOException {
    Map<String, String> all = new HashMap<>(config);
    all.put("spillway.data-dir", data.resolve("data").toString());
    service = Instance.start(data, all);
    await().atMost(Duration.ofSeconds(90)).until(service::isReady);
  }

  private long logLines() throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      Path log =
          files.filter(file -> file.getFileName().toString().startsWith("log-")).findAny().get();
      return Files.readAllLines(log).size();
    }
  }
}
