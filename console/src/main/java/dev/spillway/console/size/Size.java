package dev.spillway.console.size;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./spillway size}: what a load needs, here and in Lambda, and what it costs. */
@Command(
    name = "size",
    description = {
      "Says how many vCPUs a service needs for its usual load, how much concurrency the function"
          + " needs for the peak, and what both cost a month. From measured figures and list prices;"
          + " docs/sizing.md has the formulas.",
      ""
    },
    sortOptions = false)
public final class Size implements Callable<Integer> {
  private static final double MOST_LOGINS = 1_000_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--logins-per-minute",
      paramLabel = "N",
      required = true,
      description = "the usual load, which the service is to hash itself")
  private double loginsPerMinute;

  @Option(
      names = "--peak",
      paramLabel = "N",
      required = true,
      description = "logins a minute at the peak, which may spill")
  private double peak;

  @Option(
      names = "--peak-minutes",
      paramLabel = "N",
      defaultValue = "60",
      description = "how much of a day is peak (${DEFAULT-VALUE})")
  private double peakMinutes;

  @Option(
      names = "--cost",
      paramLabel = "N",
      defaultValue = "12",
      description = "bcrypt cost of the stored hashes (${DEFAULT-VALUE})")
  private int cost;

  @Option(
      names = "--vcpus",
      paramLabel = "N",
      description = "what the service has (as many as the usual load needs)")
  private Integer vcpus;

  @Option(
      names = "--arch",
      paramLabel = "ARCH",
      defaultValue = "arm64",
      description = "arm64 or x86_64: decides the prices (${DEFAULT-VALUE})")
  private Architecture architecture;

  @Option(
      names = "--call",
      paramLabel = "TIME",
      description = "what Lambda bills you for a hash, as 240ms (what a core here needs)")
  private Duration call;

  @Option(names = "--json", description = "the same as JSON")
  private boolean json;

  @Option(names = "--help", usageHelp = true, description = "this")
  private boolean help;

  @Override
  public Integer call() {
    check();
    Sizing sizing =
        Sizing.of(
            new Sizing.Demand(
                loginsPerMinute,
                peak,
                peakMinutes,
                cost,
                vcpus == null ? OptionalInt.empty() : OptionalInt.of(vcpus),
                architecture,
                call == null ? Measured.alone(cost) : call));
    var out = spec.commandLine().getOut();
    out.println(json ? json(sizing) : new SizeTable(sizing).text());
    out.flush();
    return 0;
  }

  private void check() {
    inRange("--logins-per-minute", loginsPerMinute, 0, MOST_LOGINS);
    inRange("--peak", peak, 0, MOST_LOGINS);
    inRange("--peak-minutes", peakMinutes, 0, 24 * 60);
    inRange("--cost", cost, 4, 15);
    if (vcpus != null) {
      inRange("--vcpus", vcpus, 1, 10_000);
    }
    if (call != null && !call.isPositive()) {
      throw misuse("--call takes a time above 0");
    }
    if (peak < loginsPerMinute) {
      throw misuse("--peak is below --logins-per-minute: both are logins a minute");
    }
  }

  private void inRange(String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw misuse("%s takes a number from %.0f to %.0f".formatted(option, min, max));
    }
  }

  private ParameterException misuse(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private static ObjectNode json(Sizing sizing) {
    Sizing.Demand demand = sizing.demand();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putObject("demand")
        .put("loginsPerMinute", demand.loginsPerMinute())
        .put("peak", demand.peak())
        .put("peakMinutesADay", demand.peakMinutes())
        .put("cost", demand.cost())
        .put("architecture", demand.architecture().toString())
        .put("callMillis", rounded(demand.call().toNanos() / 1e6));
    json.putObject("service")
        .put("vcpus", sizing.vcpus())
        .put("poolThreads", sizing.vcpus())
        .put("permits", sizing.permits())
        .put("tooSmallForThePeak", sizing.tooSmallForThePeak())
        .put("dollarsPerMonth", rounded(sizing.servicePerMonth()));
    json.putObject("function")
        .put("reservedConcurrency", sizing.concurrency())
        .put("maxOutstanding", sizing.concurrency())
        .put("spilledPerMonth", Math.round(sizing.spilledPerMonth()))
        .put("dollarsPerMonth", rounded(sizing.functionPerMonth()))
        .put("dollarsPerBusyHour", rounded(sizing.functionBusyHour()));
    json.set("usual", json(sizing.usual()));
    json.set("peak", json(sizing.peak()));
    json.putObject("withoutSpill")
        .put("vcpus", sizing.vcpusWithoutSpill())
        .put("dollarsPerMonth", rounded(sizing.withoutSpillPerMonth()));
    return json;
  }

  private static ObjectNode json(Sizing.Load load) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("loginsPerMinute", rounded(load.logins()))
        .put("here", rounded(load.here()))
        .put("spilled", rounded(load.spilled()))
        .put("inFlight", rounded(load.inFlight()));
  }

  private static double rounded(double number) {
    return Math.round(number * 100) / 100.0;
  }
}
