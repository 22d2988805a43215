package dev.spillway.benchmarks.service;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How much of what the kernel can do arrives at those who log in. */
final class LoginBench implements Bench {
  private static final double KERNEL_TARGET = 0.95;
  private static final double SPRING_TARGET = 1.9;
  private static final int LOWEST_COST = 4;
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  @Override
  public String about() {
    return """
    Whole logins per second through HTTP with every core saturated, against the hashes per second
    of the kernel alone on the same cores, and against the same service with the engine spring. A
    round starts all three afresh and lets them take turns: kernel, lanes, spring, spring, lanes,
    kernel. The load comes from this machine too; what it uses is reported, not corrected for.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(10, 5, Duration.ofSeconds(10));
  }

  @Override
  public Duration quickSample() {
    return Duration.ofSeconds(5);
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.say("round %d of %d: starting", round, options.rounds());
      try (Site site = new Site();
          Service lanes = Launch.spillway(site, "lanes", options.cost(), Map.of());
          Service spring =
              Launch.spillway(site, "spring", options.cost(), Map.of("pool.engine", "spring"))) {
        round(site, lanes, spring, options, report);
      }
    }
    report.note(
        "x kernel: target >= %.2f; x spring: target >= %.1f. Both of one round's means",
        KERNEL_TARGET, SPRING_TARGET);
    report.note(
        "hashing, service, load: cores busy with hashing, the rest of the service, the load");
    report.note(
        "before the samples each service has answered logins of cost %d for %d s, so that what is"
            + " measured is compiled",
        LOWEST_COST, options.quick() ? 10 : 60);
    report.note("per core hashing: logins for each CPU second of the hash threads");
    report.note(
        "kernel: the same lanes and as many threads in a JVM of its own%s",
        Site.CAN_STEP_ASIDE ? ", under SCHED_BATCH as the service's" : "");
  }

  private static void round(
      Site site, Service lanes, Service spring, Options options, Report report)
      throws IOException, InterruptedException {
    int threads = Usage.hashThreads(lanes);
    int size = (int) lanes.metric("spillway_pool_size", "");
    report.note("the pool by default: %d threads of %d lanes", threads, size / threads);
    Process kernel =
        site.java(
            "kernel",
            true,
            true,
            Map.of(),
            List.of(
                "-cp",
                Home.classPath(),
                KernelAlone.class.getName(),
                Integer.toString(options.cost()),
                Integer.toString(threads),
                Integer.toString(size / threads)));
    try (BufferedWriter in = kernel.outputWriter();
        BufferedReader out = kernel.inputReader()) {
      Progress.say("warming up");
      Duration warmUp = Duration.ofSeconds(options.quick() ? 3 : 15);
      kernel(site, in, out, warmUp, warmUp);
      for (Service service : List.of(lanes, spring)) {
        compile(service, options);
        logins(service, warmUp, Duration.ofSeconds(1));
      }

      Duration ramp = Duration.ofMillis(1500);
      Duration sample = options.sample();
      double kernelFirst = kernel(site, in, out, ramp, sample);
      Sample lanesFirst = logins(lanes, ramp, sample);
      Sample springFirst = logins(spring, ramp, sample);
      Sample springSecond = logins(spring, ramp, sample);
      Sample lanesSecond = logins(lanes, ramp, sample);
      double kernelSecond = kernel(site, in, out, ramp, sample);

      report.add("kernel alone", "per second", kernelFirst);
      report.add("kernel alone", "per second", kernelSecond);
      double ofLanes = lanesFirst.perSecond + lanesSecond.perSecond;
      double ofSpring = springFirst.perSecond + springSecond.perSecond;
      report.add("logins, lanes", "x kernel", ofLanes / (kernelFirst + kernelSecond));
      report.add("logins, lanes", "x spring", ofLanes / ofSpring);
      lanesFirst.tell("logins, lanes", report);
      lanesSecond.tell("logins, lanes", report);
      springFirst.tell("logins, spring", report);
      springSecond.tell("logins, spring", report);
    }
  }

  /**
   * Has the JVM compile what a login needs beside bcrypt, by logins of the lowest cost. At the cost
   * under measurement that takes thousands of logins, and so minutes, in which compilers and half
   * compiled code take as much as everything else outside bcrypt.
   */
  private static void compile(Service service, Options options)
      throws IOException, InterruptedException {
    LoadUser user = LoadUser.make(1, LOWEST_COST).getFirst();
    service.importUsers(
        service.token("admin", Launch.ADMIN_PASSWORD), LoadUser.importLines(List.of(user)));
    try (Load<Attempt> load =
        Load.closedLoop(8, () -> service.login(user.login(), LoadUser.PASSWORD))) {
      load.run(Duration.ofSeconds(options.quick() ? 10 : 60));
      load.close();
      Progress.say("%s: compiled by %d logins", service.name(), load.results().size());
    }
  }

  private static double kernel(
      Site site, BufferedWriter in, BufferedReader out, Duration ramp, Duration length)
      throws IOException {
    Progress.say("kernel");
    in.write(ramp.toMillis() + " " + length.toMillis() + "\n");
    in.flush();
    String answer = out.readLine();
    if (answer == null) {
      throw new IOException(
          "the kernel's process has ended; it said:\n" + site.lastWords("kernel"));
    }
    return Double.parseDouble(answer);
  }

  /** As many clients as keep every lane busy and one more waiting for it. */
  private static Sample logins(Service service, Duration ramp, Duration length)
      throws IOException, InterruptedException {
    Progress.say("logins, %s", service.name());
    int clients = 2 * (int) service.metric("spillway_pool_size", "");
    try (Load<Attempt> load = Load.closedLoop(clients, service::login)) {
      load.run(ramp);
      Usage before = Usage.of(service);
      load.run(length);
      Usage after = Usage.of(service);
      load.close();
      Window window = new Window(before.atNanos(), after.atNanos());
      List<Attempt> ended =
          load.results().stream().filter(one -> window.holds(one.endNanos())).toList();
      List<Attempt> granted = ended.stream().filter(Attempt::granted).toList();
      return new Sample(
          granted.size() / window.seconds(),
          ended.size() - granted.size(),
          Latencies.of(granted),
          after.since(before));
    }
  }

  private record Sample(double perSecond, int others, Latencies latencies, Usage usage) {
    void tell(String row, Report report) {
      report.add(row, "per second", perSecond);
      report.add(row, "not 200", others);
      report.add(row, "p50 ms", latencies.millis(0.5));
      report.add(row, "p99 ms", latencies.millis(0.99));
      double hashing = usage.cores(usage.hashing());
      double load = usage.cores(usage.load());
      report.add(row, "per core hashing", perSecond / hashing);
      report.add(row, "hashing", hashing);
      report.add(row, "service", usage.cores(usage.service()) - hashing);
      report.add(row, "load", load);
      report.add(row, "load %", 100 * load / CORES);
    }
  }
}
