package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * D5: logins for a while, four of five right, each from a network of its own, with sessions, audit
 * and tallies; one subclass for each database. For longer: {@code -Dsoak.seconds=3600}.
 */
@EnabledIfSystemProperty(named = "slow.tests", matches = "true", disabledReason = "slow")
abstract class SoakContract {
  private static final int SECONDS = Integer.getInteger("soak.seconds", 40);
  private static final int PER_SECOND = 100;
  private static final int USERS = 500;
  private static final int AT_ONCE = 32;
  private static final String PASSWORD = "correct horse";

  /** Pages that are kept for a while, and rows that are not many. */
  private static final long BYTES_AT_FIRST = 16 << 20;

  private static final long BYTES_A_LOGIN = 1024;

  /** A service of which everything is on that writes. */
  static class Service extends LocalOnly {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      config.put("spillway.sessions.enabled", "true");
      config.put("spillway.network.trusted-proxies", "127.0.0.0/8,::1");
      config.put("quarkus.log.min-level", "INFO");
      return config;
    }
  }

  @Inject UserDirectory users;
  @Inject Database database;

  /** In bytes. */
  abstract long size() throws IOException;

  private record Figures(long disk, long residentKb, long threads, long descriptors) {}

  @Test
  void steadyLogins_takeNoMoreThanWhatIsStored() throws Exception {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    users.importAll(
        IntStream.range(0, USERS)
            .mapToObj(
                i ->
                    new NewUser(
                        new LoginName("soak" + i),
                        TestHash.of("2b", LocalOnly.COST, PASSWORD),
                        false,
                        false,
                        Set.of()))
            .toList(),
        AddedRows.nothing());
    LongAdder answered = new LongAdder();
    LongAdder others = new LongAdder();
    logIn(SECONDS / 4, answered, others);
    Figures early = figures();
    logIn(SECONDS - SECONDS / 4, answered, others);
    Figures late = figures();

    System.out.printf(
        "%s: %d logins in %d s, %d otherwise; %s, then %s%n",
        getClass().getSimpleName(), answered.sum(), SECONDS, others.sum(), early, late);
    assertThat(others.sum()).isLessThan(answered.sum() / 10 + 1);
    assertThat(late.disk()).isLessThan(BYTES_AT_FIRST + BYTES_A_LOGIN * answered.sum());
    assertThat(late.threads()).isLessThan(early.threads() + AT_ONCE);
    assertThat(late.descriptors()).isLessThan(early.descriptors() + AT_ONCE);
  }

  private static void logIn(int seconds, LongAdder answered, LongAdder others)
      throws InterruptedException {
    long start = System.nanoTime();
    Semaphore free = new Semaphore(AT_ONCE);
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < seconds * PER_SECOND; i++) {
        int at = (int) (start / 1_000_000 % 1_000_000) + i;
        LockSupport.parkNanos(start + TimeUnit.SECONDS.toNanos(i) / PER_SECOND - System.nanoTime());
        if (!free.tryAcquire(seconds, TimeUnit.SECONDS)) {
          throw new AssertionError("nobody is answered");
        }
        clients.execute(
            () -> {
              try {
                (logIn(client, at) ? answered : others).increment();
              } finally {
                free.release();
              }
            });
      }
    }
  }

  private static boolean logIn(HttpClient client, int at) {
    boolean right = at % 5 != 0;
    HttpRequest login =
        HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + "/login"))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .header(
                "X-Forwarded-For", "10.%d.%d.%d".formatted(at >> 16 & 255, at >> 8 & 255, at & 255))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"login\":\"soak%d\",\"password\":\"%s\"}"
                        .formatted(at % USERS, right ? PASSWORD : "wrong")))
            .build();
    try {
      int status = client.send(login, HttpResponse.BodyHandlers.discarding()).statusCode();
      return status == (right ? 200 : 401);
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Figures figures() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return new Figures(
          size(),
          Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("VmRSS"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .sum(),
          ManagementFactory.getThreadMXBean().getThreadCount(),
          descriptors.count());
    }
  }
}
