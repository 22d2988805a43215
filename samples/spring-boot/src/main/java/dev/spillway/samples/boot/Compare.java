package dev.spillway.samples.boot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends logins at once to a running sample and asks for its health meanwhile. Prints how long both
 * took.
 */
public final class Compare {
  private static final int LOGINS = 200;
  private static final int ROUNDS = 3;
  private static final Duration BETWEEN_PROBES = Duration.ofMillis(20);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI base;

  private record Answer(int status, long nanos) {}

  private Compare(URI base) {
    this.base = base;
  }

  public static void main(String[] args) throws Exception {
    Compare compare = new Compare(URI.create(args.length > 0 ? args[0] : "http://localhost:8080"));
    compare.round(); // for connections, and for classes to be loaded
    List<Answer> logins = new ArrayList<>();
    List<Answer> health = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      List<List<Answer>> round = compare.round();
      logins.addAll(round.get(0));
      health.addAll(round.get(1));
    }
    long right = logins.stream().filter(answer -> answer.status == 200).count();
    long shed = logins.stream().filter(answer -> answer.status == 503).count();
    System.out.printf(
        "%d rounds of %d logins at once: %d times 200, %d times 503, %d others%n",
        ROUNDS, LOGINS, right, shed, logins.size() - right - shed);
    System.out.printf("logins answered 200: %s%n", percentiles(logins, 200));
    System.out.printf("logins answered 503: %s%n", percentiles(logins, 503));
    System.out.printf("health:              %s (%d)%n", percentiles(health, 200), health.size());
  }

  /** Logins, and what was asked for meanwhile. */
  private List<List<Answer>> round() throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    List<CompletableFuture<Answer>> probes = new ArrayList<>();
    Thread probing =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!over.get()) {
                    probes.add(send(HttpRequest.newBuilder(base.resolve("/health"))));
                    pause(BETWEEN_PROBES);
                  }
                });
    List<CompletableFuture<Answer>> logins = new ArrayList<>();
    for (int i = 0; i < LOGINS; i++) {
      logins.add(
          send(
              HttpRequest.newBuilder(base.resolve("/login"))
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"login\":\"demo\",\"password\":\"demo\"}"))));
    }
    List<Answer> ended = logins.stream().map(CompletableFuture::join).toList();
    over.set(true);
    probing.join();
    return List.of(ended, probes.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<Answer> send(HttpRequest.Builder request) {
    long start = System.nanoTime();
    return client
        .sendAsync(request.timeout(TIMEOUT).build(), BodyHandlers.discarding())
        .handle(
            (response, failure) ->
                new Answer(
                    failure == null ? response.statusCode() : 0, System.nanoTime() - start));
  }

  private static String percentiles(List<Answer> answers, int status) {
    long[] millis =
        answers.stream()
            .filter(answer -> answer.status == status)
            .mapToLong(answer -> Duration.ofNanos(answer.nanos).toMillis())
            .sorted()
            .toArray();
    return millis.length == 0
        ? "none"
        : "median %d ms, p99 %d ms, longest %d ms"
            .formatted(
                millis[millis.length / 2],
                millis[(int) Math.ceil(millis.length * 0.99) - 1],
                Arrays.stream(millis).max().getAsLong());
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
