package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * From the process to a service that is ready, and how much memory it has, then and after a spike.
 */
final class StartBench implements Bench {
  /** More than the pool can take: the rest spills, as in a spike. */
  private static final int PER_SECOND = 300;

  @Override
  public String about() {
    return """
    Starts the auth-service as ./spillway run does, on an empty database, and asks for its readiness
    until it is there. Then its resident memory: when it has chosen its lanes, and after a spike of
    300 logins a second, of which what the pool cannot take spills to a simulated function.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(10, 5, Duration.ofSeconds(20));
  }

  @Override
  public Duration quickSample() {
    return Duration.ofSeconds(10);
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    SpikeUsers users = SpikeUsers.make(options.cost());
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.say("round %d of %d", round, options.rounds());
      try (Site site = new Site();
          SpikeContender.Started started =
              SpikeContender.REMOTE.start(site, options.cost(), users)) {
        round(started.service(), users, options, report);
      }
    }
    report.note("ready s: from the start of the process to 200 at /q/health/ready");
    report.note("MB: resident, VmRSS of proc(5); the heap's limit is the JVM's default");
    report.note("a spike: %d logins/s for %d s", PER_SECOND, options.sample().toSeconds());
  }

  private static void round(Service service, SpikeUsers users, Options options, Report report)
      throws IOException {
    String row = "auth-service";
    report.add(row, "ready s", service.readyAfter().toMillis() / 1e3);
    report.add(row, "MB after the start", residentMegabytes(service));
    int[] granted = new int[1];
    int[] others = new int[1];
    try (Arrivals<LoadUser> spike =
        new Arrivals<>(
            service, users.measured(), (_, one) -> (one.granted() ? granted : others)[0]++)) {
      spike.run(PER_SECOND, options.sample());
    }
    report.add(row, "MB after a spike", residentMegabytes(service));
    report.add(row, "logins in it", granted[0]);
    report.add(row, "not granted", others[0]);
  }

  private static double residentMegabytes(Service service) throws IOException {
    Path status = Path.of("/proc", Long.toString(service.pid()), "status");
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElseThrow();
    }
  }
}
