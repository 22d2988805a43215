package dev.spillway.benchmarks.line;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./spillway bench line}: which line before the pool serves most, soonest. */
@Command(
    name = "./spillway bench line",
    description = {
      "Simulates the line before a pool of eight permits that finishes 80 logins a second, under loads"
          + " from half to a hundred times as much, in bursts, and while the pool is slowed down: FIFO with a"
          + " bound on the wait against CoDel with adaptive LIFO. No clock is asked; the same seed gives"
          + " the same figures.",
      ""
    },
    sortOptions = false)
public final class LineBench implements Callable<Integer> {
  private static final double SECOND = 1000;

  private static final List<Discipline> DISCIPLINES =
      List.of(
          new Discipline.Bounded(1000),
          new Discipline.Bounded(500),
          new Discipline.ControlledDelay(100, 5),
          new Discipline.ControlledDelay(1000, 50));

  private static final List<Load> LOADS =
      List.of(
          Load.steady(0.5),
          Load.steady(1),
          Load.steady(2),
          Load.steady(5),
          Load.steady(10),
          Load.steady(50),
          Load.steady(100),
          new Load("0.5 x, and 200 at once every 10 s", _ -> 0.5, 200, 10 * SECOND, _ -> 1),
          new Load(
              "10 x for 1 s of 5, else 0.5 x",
              now -> now % (5 * SECOND) < SECOND ? 10 : 0.5,
              0,
              0,
              _ -> 1),
          new Load(
              "10 x, hashes 4 times as long for 10 s of 20",
              _ -> 10,
              0,
              0,
              now -> now % (20 * SECOND) < 10 * SECOND ? 4 : 1));

  @Option(names = "--quick", description = "a tenth of the simulated time")
  private boolean quick;

  @Option(names = "--seed", defaultValue = "1", paramLabel = "N", description = "(1)")
  private long seed;

  @Option(names = "--out", paramLabel = "FILE", description = "also write the table there")
  private Path out;

  @Option(names = "--help", usageHelp = true, description = "this")
  private boolean help;

  /**
   * @return what the process is to exit with
   */
  public static int run(String... args) {
    return new CommandLine(new LineBench()).execute(args);
  }

  @Override
  public Integer call() throws Exception {
    String table = table(quick ? 60 * SECOND : 600 * SECOND);
    System.out.print(table);
    if (out != null) {
      Files.writeString(out, table);
    }
    return 0;
  }

  private String table(double millis) {
    StringBuilder text =
        new StringBuilder(
            "| offered | line | served/s | p50 / p99 of served, ms | until refused p50 / p99, ms |\n"
                + "| --- | --- | --- | --- | --- |\n");
    for (Load load : LOADS) {
      for (Discipline discipline : DISCIPLINES) {
        LineSimulation.Result result = new LineSimulation(discipline, load, seed).run(millis);
        text.append(
            String.format(
                Locale.ROOT,
                "| %s | %s | %.1f | %s / %s | %s / %s |%n",
                load.label(),
                discipline.label(),
                result.servedPerSecond(),
                number(result.servedP50()),
                number(result.servedP99()),
                number(result.refusedP50()),
                number(result.refusedP99())));
      }
    }
    return text.toString();
  }

  private static String number(double millis) {
    return Double.isNaN(millis) ? "–" : String.format(Locale.ROOT, "%.0f", millis);
  }
}
