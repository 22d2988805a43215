package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The benchmarks that start services and ask them over HTTP. */
public final class ServiceBenches {
  private static final int MISUSE = 2;

  private ServiceBenches() {}

  /**
   * Runs one of them.
   *
   * @param name login, spill, attack or timing
   * @return what the process is to exit with
   */
  public static int run(String name, String... args) throws Exception {
    Bench bench =
        switch (name) {
          case "login" -> new LoginBench();
          case "spill" -> new SpillBench();
          case "attack" -> new AttackBench();
          case "timing" -> new TimingBench();
          default -> throw new IllegalArgumentException(name);
        };
    if (List.of(args).contains("--help")) {
      System.out.print(bench.about() + "\n" + bench.defaults().help());
      return 0;
    }
    Options options;
    try {
      options = bench.defaults().parse(bench.quickSample(), args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; --help says more");
      return MISUSE;
    }
    Report report = new Report(name, options);
    bench.run(options, report);
    Surroundings here = Surroundings.here();
    String table = report.table(here);
    String json = report.json(here);
    System.out.println(table);
    if (options.out().isPresent()) {
      Path file = options.out().get().toAbsolutePath();
      Files.createDirectories(file.getParent());
      Files.writeString(file, table + "\n```json\n" + json + "\n```\n");
    }
    System.out.println(json);
    return 0;
  }
}
