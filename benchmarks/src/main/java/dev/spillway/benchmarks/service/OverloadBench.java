package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    double peak = options.peak().orElse(0.0);
    List<OverloadContender> order = new ArrayList<>(options.contenders());
    if (peak == 0) {
      order.remove(OverloadContender.POOL);
      order.addFirst(OverloadContender.POOL); // its peak is what all are offered multiples of
    }
    for (OverloadContender contender : order) {
      try (OverloadRun run = new OverloadRun(contender, users, options)) {
        if (peak == 0) {
          run.startWarm();
          peak = run.peak();
        } else if (options.warm()) {
          run.startWarm();
        } else {
          run.prepare();
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
    if (options.out().isPresent()) {
      Path file = options.out().get().toAbsolutePath();
      Files.createDirectories(file.getParent());
      Files.writeString(file, table + "\n```json\n" + json + "\n```\n");
    }
    System.out.println(json);
  }
}
