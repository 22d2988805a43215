package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts what is measured, each as its users start it. */
final class Launch {
  static final String ADMIN_PASSWORD = "benchmark-admin";

  private static final Duration LANES_CHOSEN = Duration.ofSeconds(60);
  private static final Duration SETTLED = Duration.ofSeconds(1);
  private static final Duration LAMBDA_START = Duration.ofSeconds(60);

  private Launch() {}

  /**
   * Spillway as {@code ./spillway run} starts it, on a database of its own.
   *
   * @param settings without their prefix {@code spillway.}
   */
  static Service spillway(Site site, String name, int cost, Map<String, String> settings)
      throws IOException, InterruptedException {
    Service service = spillwayAtOnce(site, name, cost, settings);
    if (!settings.containsKey("pool.lanes") && !settings.containsKey("pool.engine")) {
      awaitLanes(site, name);
    }
    return service;
  }

  /** Likewise, without waiting for more than that it says it is ready. */
  static Service spillwayAtOnce(Site site, String name, int cost, Map<String, String> settings)
      throws IOException, InterruptedException {
    int port = Site.freePort();
    List<String> args = new ArrayList<>();
    args.add("-Dquarkus.profile=local");
    args.add("-Dquarkus.http.host=127.0.0.1");
    args.add("-Dquarkus.http.port=" + port);
    args.add("-Dspillway.tokens.issuer=http://localhost:" + port);
    args.add("-Dspillway.data-dir=" + site.path(name + ".data"));
    args.add("-Dspillway.bootstrap.admin-password=" + ADMIN_PASSWORD);
    args.add("-Dspillway.hashing.cost=" + cost);
    settings.forEach((key, value) -> args.add("-Dspillway." + key + "=" + value));
    return service(site, name, port, args, Home.AUTH_SERVICE);
  }

  /** After its start the pool measures how many lanes suit the machine, and may change its size. */
  private static void awaitLanes(Site site, String name) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + LANES_CHOSEN.toNanos();
    while (!Files.readString(site.log(name)).contains("Lanes: ")) {
      if (System.nanoTime() > giveUp) {
        Progress.say("%s has not chosen its lanes, going on without", name);
        return;
      }
      Thread.sleep(200);
    }
    Thread.sleep(SETTLED);
  }

  /** The settings of a spill target on this machine, without ceilings of spending. */
  static Map<String, String> spillTo(int port, int maxOutstanding) {
    String target = "spill.targets.local.";
    return Map.of(
        target + "function",
        "HashFunction",
        target + "region",
        "eu-central-1",
        target + "endpoint",
        "http://127.0.0.1:" + port,
        target + "max-outstanding",
        Integer.toString(maxOutstanding),
        // The ceilings of spending are there to end what a benchmark does.
        "spend.per-hour",
        "1000000",
        "spend.per-day",
        "1000000");
  }

  /** The service of those who did not think of spikes. */
  static Service naive(Site site, String name, int cost, List<LoadUser> users)
      throws IOException, InterruptedException {
    int port = Site.freePort();
    Path file = site.path(name + ".users");
    Files.writeString(file, LoadUser.importLines(users));
    List<String> args =
        List.of(
            "-Dquarkus.http.host=127.0.0.1",
            "-Dquarkus.http.port=" + port,
            "-Dnaive.cost=" + cost,
            "-Dnaive.users-file=" + file);
    return service(site, name, port, args, Home.NAIVE_SERVICE);
  }

  /**
   * The function's stand-in for AWS Lambda, behind all normal processes where that can be had: it
   * stands for machines elsewhere, and must not come before the hash threads here.
   *
   * @return its port
   */
  static int localLambda(Site site, int concurrency) throws IOException, InterruptedException {
    require(Home.LOCAL_LAMBDA);
    require(Home.FUNCTION);
    Path portFile = site.path("local-lambda.port");
    Process process =
        site.java(
            "local-lambda",
            true,
            false,
            Map.of(),
            List.of(
                "-jar",
                Home.LOCAL_LAMBDA.toString(),
                "--template",
                Home.TEMPLATE.toString(),
                "--parameter",
                "Sealing=no",
                "--concurrency",
                Integer.toString(concurrency),
                "--port",
                "0",
                "--port-file",
                portFile.toString()));
    long giveUp = System.nanoTime() + LAMBDA_START.toNanos();
    while (!Files.exists(portFile)) {
      if (!process.isAlive() || System.nanoTime() > giveUp) {
        throw new IOException(
            "local-lambda did not start; it said:\n" + site.lastWords("local-lambda"));
      }
      Thread.sleep(100);
    }
    return Integer.parseInt(Files.readString(portFile).strip());
  }

  private static Service service(Site site, String name, int port, List<String> args, Path jar)
      throws IOException, InterruptedException {
    require(jar);
    List<String> all = new ArrayList<>(args);
    all.add("-jar");
    all.add(jar.toString());
    Map<String, String> environment =
        Map.of("AWS_ACCESS_KEY_ID", "local", "AWS_SECRET_ACCESS_KEY", "local");
    Service service =
        new Service(
            name, site.java(name, false, false, environment, all), port, ServiceApi.SPILLWAY);
    service.awaitReady(site);
    return service;
  }

  private static void require(Path built) throws IOException {
    if (!Files.exists(built)) {
      throw new IOException(built + " is missing; ./spillway bench builds it");
    }
  }
}
