package dev.spillway.benchmarks.function;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.locallambda.LocalLambda;
import dev.spillway.locallambda.LocalLambdaConfig;
import dev.spillway.locallambda.confine.Demand;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** One build of the function under local-lambda, one environment, called one call at a time. */
final class Deployed implements AutoCloseable {
  private static final String FUNCTION = "HashFunction";

  private final String name;
  private final LocalLambda lambda;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final SecureRandom random = new SecureRandom();

  private Deployed(String name, LocalLambda lambda) {
    this.name = name;
    this.lambda = lambda;
  }

  static Deployed of(String name, Path template, Path functionPackage) throws IOException {
    return new Deployed(
        name,
        LocalLambda.start(
            LocalLambdaConfig.of(template)
                // What is measured is the function's process, and all that it could do.
                .sandbox(Demand.OFF)
                .parameter("Sealing", "no")
                .functionPackage(functionPackage)
                .concurrency(1)
                .log(line -> {})
                .build()));
  }

  String name() {
    return name;
  }

  /**
   * Calls with {@code jobs} digests of {@code cost}, which the function computes on as many lanes.
   *
   * @return nanoseconds from request to answer
   */
  long call(int jobs, int cost) throws IOException, InterruptedException {
    List<DigestRequest.Job> asked = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      asked.add(
          new DigestRequest.Job(
              Integer.toString(i),
              BcryptSetting.random(BcryptVersion.V2B, cost, random),
              new byte[] {'p', (byte) ('a' + i)}));
    }
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    lambda.endpoint() + "/2015-03-31/functions/" + FUNCTION + "/invocations"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofByteArray(WireFormat.write(new DigestRequest(asked))))
            .build();
    long start = System.nanoTime();
    HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    long nanos = System.nanoTime() - start;
    check(answer, jobs);
    return nanos;
  }

  /** CPU nanoseconds that the living threads of its process have used; proc(5), schedstat. */
  long cpuNanos() throws IOException {
    long nanos = 0;
    try (var threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid()), "task"))) {
      for (Path thread : threads) {
        try {
          String figures = Files.readString(thread.resolve("schedstat"));
          nanos += Long.parseLong(figures.substring(0, figures.indexOf(' ')));
        } catch (NoSuchFileException e) {
          // it has ended
        }
      }
    }
    return nanos;
  }

  /** Resident memory of its process, in MB; proc(5). */
  long residentMegabytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElseThrow();
    }
  }

  private long pid() {
    return lambda.report(FUNCTION).pids().getFirst();
  }

  private static void check(HttpResponse<byte[]> answer, int jobs) {
    try {
      long digests =
          WireFormat.readReply(answer.body()).results().stream()
              .filter(result -> result instanceof DigestReply.Computed)
              .count();
      if (answer.statusCode() == 200 && digests == jobs) {
        return;
      }
    } catch (WireException e) {
      // said below
    }
    throw new IllegalStateException("the function answered no digests: " + answer.statusCode());
  }

  @Override
  public void close() {
    lambda.close();
    http.close();
  }
}
