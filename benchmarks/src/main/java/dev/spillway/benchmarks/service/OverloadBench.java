package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import dev.spillway.benchmarks.overload.Pace;
import dev.spillway.benchmarks.overload.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./spillway bench overload}: what is answered when more comes than can be. */
@Command(
    name = "./spillway bench overload",
    description = {
      "Offers a service multiples of what its pool can do, whether or not it answers, and reports what"
          + " is answered, how soon, and what health checks and key look-ups notice. The load is a"
          + " process of its own on the same machine; its CPU is told. Progress goes to stderr, the"
          + " table to stdout; the last line of stdout is JSON.",
      ""
    },
    sortOptions = false)
public final class OverloadBench implements Callable<Integer> {
  /** Before a line of a second has come to it. */
  private static final Duration HANG_UP = Duration.ofMillis(60);

  @Mixin private OverloadOptions options;

  private final List<OverloadStep> steps = new ArrayList<>();

  /**
   * @return what the process is to exit with
   */
  public static int run(String... args) {
    return new CommandLine(new OverloadBench())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(args);
  }

  @Override
  public Integer call() throws Exception {
    Progress.say("hashing passwords");
    SpikeUsers users = SpikeUsers.make(options.cost());
    double peak = options.peak().orElse(Double.NaN);
    List<OverloadContender> order = new ArrayList<>(options.contenders());
    boolean search = options.multiples() && Double.isNaN(peak);
    if (search) {
      order.remove(OverloadContender.POOL);
      order.addFirst(OverloadContender.POOL); // its peak is what all are offered multiples of
    }
    for (OverloadContender contender : order) {
      try (OverloadRun run = new OverloadRun(contender, users, options)) {
        if (options.multiples() && (options.warm() || Double.isNaN(peak))) {
          run.startWarm();
        } else {
          run.prepare();
        }
        if (search && Double.isNaN(peak)) {
          peak = run.peak();
        }
        if (options.contenders().contains(contender)) {
          measure(contender, run, peak);
        }
      }
    }
    tell(new OverloadReport(options, peak, steps, Surroundings.here()));
    return 0;
  }

  private void measure(OverloadContender contender, OverloadRun run, double peak)
      throws IOException, InterruptedException {
    if (options.fairness()) {
      for (Traffic flood : floods(options.mostTimes() * peak)) {
        steps.add(run.flooded(options.mostTimes(), peak, flood));
      }
    }
    if (options.refusals().isPresent()) {
      steps.add(run.refusals(options.refusals().getAsInt(), options.mostTimes(), peak));
    }
    if (options.curve()) {
      curve(contender, run, peak);
    }
    if (options.burst().isPresent()) {
      run.startYoung();
      steps.add(run.burst(options.burst().getAsInt()));
    }
  }

  /** Of one network. */
  private static List<Traffic> floods(double perSecond) {
    Pace pace = new Pace.Open(perSecond);
    return List.of(
        new Traffic("flood of right passwords", pace, 1, true, 0),
        new Traffic("flood of wrong passwords", pace, 1, false, 0),
        new Traffic("flood that hangs up", pace, 1, true, HANG_UP.toNanos()));
  }

  private void curve(OverloadContender contender, OverloadRun run, double peak)
      throws IOException, InterruptedException {
    boolean fresh = true;
    for (int neighbours : options.warm() ? options.neighbours() : List.<Integer>of()) {
      for (double times : options.times()) {
        if (!fresh && !contender.isSpillway()) {
          run.startWarm(); // it still works off what came before
        }
        fresh = false;
        run.neighbours(neighbours);
        steps.add(run.step(times, peak));
      }
    }
    for (int neighbours : options.young() ? options.neighbours() : List.<Integer>of()) {
      for (double times : options.times()) {
        run.neighbours(neighbours);
        run.startYoung();
        steps.add(run.step(times, peak));
      }
    }
  }

  private void tell(OverloadReport report) throws IOException {
    String table = report.table();
    String json = report.json();
    System.out.println(table);
    if (options.curve()) {
      Path picture = options.picture().toAbsolutePath();
      Files.createDirectories(picture.getParent());
      Files.writeString(picture, new OverloadPicture(report.peak(), steps).svg());
      System.out.println("picture: " + picture + "\n");
    }
    if (options.out().isPresent()) {
      Path file = options.out().get().toAbsolutePath();
      Files.createDirectories(file.getParent());
      Files.writeString(file, table + "\n```json\n" + json + "\n```\n");
    }
    System.out.println(json);
  }
}
