package dev.spillway.benchmarks.service;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** How {@link OverloadBench} goes about it; what a quick run takes instead is said in each. */
final class OverloadOptions {
  private static final List<Double> QUICK_TIMES = List.of(1.0, 10.0, 50.0);

  @Option(names = "--quick", description = "about two minutes: pool only, warm, 1, 10 and 50 times")
  private boolean quick;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "contenders, of: ${COMPLETION-CANDIDATES} (all)")
  private List<OverloadContender> only;

  @Option(
      names = "--times",
      split = ",",
      paramLabel = "N",
      description = "how often the pool's peak is offered (0.5,1,2,5,10,20,50,100)")
  private List<Double> times;

  @Option(
      names = "--age",
      split = ",",
      paramLabel = "AGE",
      description = "warm, young: from the moment it is ready (both; quick warm)")
  private List<String> age;

  @Option(
      names = "--neighbours",
      split = ",",
      paramLabel = "N",
      description = "busy processes beside the service (0,2)")
  private List<Integer> neighbours;

  @Option(names = "--cost", paramLabel = "N", description = "bcrypt cost (10; a burst 12)")
  private Integer cost;

  @Option(names = "--seconds", paramLabel = "N", description = "length of a step (8; quick 6)")
  private Integer seconds;

  @Option(
      names = "--ramp",
      paramLabel = "N",
      defaultValue = "3",
      description = "seconds of a step before figures count (3)")
  private int ramp;

  @Option(
      names = "--youth",
      paramLabel = "N",
      defaultValue = "30",
      description = "seconds that count after a start (30)")
  private int youth;

  @Option(names = "--warm-up", paramLabel = "N", description = "seconds (40; quick 20)")
  private Integer warmUp;

  @Option(
      names = "--peak",
      paramLabel = "N",
      description = "logins a second that the pool can do (found first)")
  private Double peak;

  @Option(
      names = "--networks",
      paramLabel = "N",
      defaultValue = "0",
      description = "networks the logins come from (one for each login)")
  private int networks;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "a setting of the service, without its spillway.; may be repeated")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--fairness",
      description =
          "instead of the curve: users of 200 networks at half the peak, while one network floods at the"
              + " highest of --times (quick 50) with right passwords, with wrong ones, and hanging up after"
              + " 60 ms")
  private boolean fairness;

  @Option(
      names = "--burst",
      paramLabel = "N",
      description = "instead of the curve: so many logins at once when it is ready; cost 12")
  private Integer burst;

  @Option(
      names = "--refusals",
      paramLabel = "N",
      description =
          "instead of the curve: about so many refusals at the highest of --times (50), heap before and"
              + " after")
  private Integer refusals;

  @Option(names = "--load-cpu", paramLabel = "N", description = "core that the load is pinned to")
  private Integer loadCpu;

  @Option(names = "--load-nice", paramLabel = "N", description = "priority of the load's process")
  private Integer loadNice;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "where the picture goes, an SVG (target/overload.svg)")
  private Path picture;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "also write the result there; a bare name goes to benchmarks/results/")
  private Path out;

  @Option(names = "--help", usageHelp = true, description = "this")
  private boolean help;

  List<OverloadContender> contenders() {
    if (only != null) {
      return only;
    }
    return quick ? List.of(OverloadContender.POOL) : List.of(OverloadContender.values());
  }

  List<Double> times() {
    if (times != null) {
      return times;
    }
    return quick ? QUICK_TIMES : List.of(0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0);
  }

  boolean warm() {
    return age == null || age.contains(OverloadRun.WARM);
  }

  boolean young() {
    return age == null ? !quick : age.contains(OverloadRun.YOUNG);
  }

  List<Integer> neighbours() {
    if (neighbours != null) {
      return neighbours;
    }
    return quick ? List.of(0) : List.of(0, 2);
  }

  int cost() {
    return cost != null ? cost : burst != null ? 12 : 10;
  }

  boolean fairness() {
    return fairness;
  }

  OptionalInt burst() {
    return burst == null ? OptionalInt.empty() : OptionalInt.of(burst);
  }

  OptionalInt refusals() {
    return refusals == null ? OptionalInt.empty() : OptionalInt.of(refusals);
  }

  boolean curve() {
    return !fairness && burst == null && refusals == null;
  }

  /** Whether the pool's peak has to be known. */
  boolean multiples() {
    return curve() || fairness || refusals != null;
  }

  /** Of a flood. */
  double mostTimes() {
    return times == null ? 50 : Collections.max(times);
  }

  boolean quick() {
    return quick;
  }

  Duration step() {
    return Duration.ofSeconds(seconds != null ? seconds : quick ? 6 : 8);
  }

  Duration ramp() {
    return Duration.ofSeconds(ramp);
  }

  Duration youth() {
    return Duration.ofSeconds(youth);
  }

  Duration warmUp() {
    return Duration.ofSeconds(warmUp != null ? warmUp : quick ? 20 : 40);
  }

  Optional<Double> peak() {
    return Optional.ofNullable(peak);
  }

  int networks() {
    return networks;
  }

  Map<String, String> settings() {
    return settings;
  }

  /** What starts the load's process. */
  List<String> loadPrefix() {
    List<String> prefix = new ArrayList<>();
    if (loadCpu != null) {
      prefix.addAll(List.of("taskset", "-c", loadCpu.toString()));
    }
    if (loadNice != null) {
      prefix.addAll(List.of("nice", "-n", loadNice.toString()));
    }
    return prefix;
  }

  Path picture() {
    return picture == null ? Home.path("target", "overload.svg") : picture;
  }

  Optional<Path> out() {
    return Optional.ofNullable(out);
  }
}
