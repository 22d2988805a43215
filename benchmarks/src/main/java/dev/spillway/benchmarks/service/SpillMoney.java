package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.function.FunctionTimes;
import dev.spillway.console.size.LambdaPrice;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a million spilled logins cost, by the rate at which they come. */
final class SpillMoney {
  private static final int[] RATES = {20, 100, 500, 2000};
  private static final int ROUNDS = 9;
  private static final double MILLION = 1e6;

  private SpillMoney() {}

  static void measure(List<LoadUser> hashed, List<LoadUser> users, Options options, Report report)
      throws IOException, InterruptedException {
    Progress.say("measuring the function");
    FunctionTimes times = FunctionTimes.measure(Home.TEMPLATE.getParent(), options.cost(), ROUNDS);
    try (RemoteFunction function =
            new RemoteFunction(
                times::billedMillis,
                hashed.stream()
                    .collect(Collectors.toMap(LoadUser::setting, u -> u.hash().digest())));
        Site site = new Site();
        Service service = SpillBench.start(site, function, users, options)) {
      SpillBench.Logins logins = new SpillBench.Logins(function);
      try (Arrivals<LoadUser> arrivals = new Arrivals<>(service, users, logins::ended)) {
        SpillBench.warmUp(service, arrivals, options);
        for (int rate : RATES) {
          rate(service, arrivals, logins, rate, times, function, options, report);
        }
      }
    }
    report.note(
        "money: the %s function takes %s ms of CPU for 1 to 4 digests of a call; at list price for"
            + " 1,769 MB. CPU time is this machine's, also where the price is arm64's",
        times.build(),
        times.cpuMillis().stream().map("%.1f"::formatted).collect(Collectors.joining(", ")));
  }

  private static void rate(
      Service service,
      Arrivals<LoadUser> arrivals,
      SpillBench.Logins logins,
      int rate,
      FunctionTimes times,
      RemoteFunction function,
      Options options,
      Report report)
      throws IOException, InterruptedException {
    Map<Integer, Long> before = function.callsByJobs();
    SpillBench.sample(service, arrivals, logins, "money " + rate + "/s", rate, options, report);
    Map<Integer, Long> calls = function.callsByJobs();
    before.forEach((jobs, count) -> calls.merge(jobs, -count, Long::sum));
    double digests = calls.entrySet().stream().mapToLong(e -> e.getKey() * e.getValue()).sum();
    String row = "money " + rate + "/s";
    report.add(row, "digests a call", digests / calls.values().stream().mapToLong(n -> n).sum());
    report.add(
        row, "$ per million, arm64", MILLION * dollars(LambdaPrice.ARM64, calls, times) / digests);
    report.add(
        row,
        "$ per million, x86-64",
        MILLION * dollars(LambdaPrice.X86_64, calls, times) / digests);
    report.add(
        row,
        "$ ungrouped, arm64",
        MILLION * LambdaPrice.ARM64.perLogin(Duration.ofMillis(times.billedMillis(1))));
  }

  private static double dollars(LambdaPrice price, Map<Integer, Long> calls, FunctionTimes times) {
    return calls.entrySet().stream()
        .mapToDouble(
            e -> e.getValue() * price.perLogin(Duration.ofMillis(times.billedMillis(e.getKey()))))
        .sum();
  }
}
