package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A denial of wallet on real processes: who guesses is to buy none of the function's time. */
@Timeout(300)
class WalletAttackIT {
  private static final int GUESSES = 10_000;
  private static final int AT_ONCE = 200;
  private static final int FEW = 10;
  private static final String NETWORK = "203.0.113.66";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** On as many accounts, from the network of a user who is at home there. */
  @Test
  void tenThousandGuesses_buyTheirFirstFew_andTheUserAtHomeIsServedMeanwhile(@TempDir Path data)
      throws Exception {
    try (Running service = Running.start(data)) {
      // The user is at home from here on, and the function is warm.
      await()
          .atMost(Duration.ofSeconds(90))
          .until(() -> login(service, "demo", "demo-password") == 200);
      await()
          .atMost(Duration.ofSeconds(90))
          .until(() -> Burst.of(service, 20, 0, () -> {}).others().isEmpty() && spilled(service) > 0);
      double spilledBefore = spilled(service);
      Map<Integer, Integer> guesses = new TreeMap<>();
      Map<Integer, Integer> users = new TreeMap<>();

      Semaphore under = new Semaphore(AT_ONCE);
      long start = System.nanoTime();
      try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Integer>> spray = new ArrayList<>();
        Future<?> attack =
            clients.submit(
                () -> {
                  for (int i = 0; i < GUESSES; i++) {
                    String guessed = "user" + i;
                    under.acquire();
                    spray.add(
                        clients.submit(
                            () -> {
                              try {
                                return login(service, guessed, "password1");
                              } finally {
                                under.release();
                              }
                            }));
                  }
                  return null;
                });
        do {
          users.merge(login(service, "demo", "demo-password"), 1, Integer::sum);
        } while (!attack.isDone());
        attack.get();
        for (Future<Integer> guess : spray) {
          guesses.merge(guess.get(), 1, Integer::sum);
        }
      }
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      int logins = users.values().stream().mapToInt(Integer::intValue).sum();
      double spilled = spilled(service) - spilledBefore;
      System.out.printf(
          "%d wrong guesses in %d s: answers %s; the user at home meanwhile: %s;"
              + " spilled in all %.0f, refused as suspect %.0f%n",
          GUESSES,
          took.toSeconds(),
          guesses,
          users,
          spilled,
          service.metric("spillway_spend_refused_total", "suspect"));

      assertThat(users).containsOnlyKeys(200);
      assertThat(guesses.keySet()).isSubsetOf(401, 429, 503);
      assertThat(guesses.get(429)).isGreaterThan(GUESSES / 2);
      assertThat(spilled).as("the user's own and a few").isLessThanOrEqualTo(logins + FEW);
      Burst.assertWhole(service);
    }
  }

  private static double spilled(Running service) throws Exception {
    return service.metric("spillway_hashing_total", "spilled");
  }

  private int login(Running service, String login, String password) throws Exception {
    return http.send(
            HttpRequest.newBuilder(service.uri("/login"))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header("X-Forwarded-For", NETWORK)
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"login\":\"%s\",\"password\":\"%s\"}".formatted(login, password)))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
