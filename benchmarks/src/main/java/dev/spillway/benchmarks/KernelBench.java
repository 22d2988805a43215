package dev.spillway.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How many bcrypt hashes one second of CPU yields, for our lanes and for everything else that a
 * Java service could use, and for the same lanes in C. Only ratios are worth quoting: they are
 * taken within 100 ms of each other on one core, and their median survives a busy machine.
 */
public final class KernelBench {
  private final Options options;
  private final boolean pinned = Surroundings.has("taskset");
  private final Map<String, Figures> figures = new LinkedHashMap<>();

  private KernelBench(Options options) {
    this.options = options;
  }

  public static void main(String... args) throws IOException, InterruptedException {
    if (List.of(args).contains("--help")) {
      System.out.print(Options.HELP);
      return;
    }
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "; --help says more");
      System.exit(2);
      return;
    }
    new KernelBench(options).run();
  }

  private void run() throws IOException, InterruptedException {
    // Before, not after: the commit may change meanwhile.
    Surroundings here = Surroundings.here();
    for (int fork = 1; fork <= options.forks(); fork++) {
      System.err.println("fork " + fork + " of " + options.forks());
      fork();
    }
    String table = table(here);
    String json = json(here);
    System.out.print(table);
    if (options.out().isPresent()) {
      Path file = options.out().get().toAbsolutePath();
      Files.createDirectories(file.getParent());
      Files.writeString(file, table + "\n```json\n" + json + "\n```\n");
    }
    System.out.println(json);
  }

  private void fork() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (pinned) {
      command.addAll(List.of("taskset", "-c", Integer.toString(options.cpu())));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Fork.class.getName()));
    command.add(Integer.toString(options.cost()));
    command.add(Integer.toString(options.rounds()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var lines = process.inputReader()) {
      lines.lines().map(line -> line.split(" ")).forEach(this::note);
    }
    if (process.waitFor() != 0) {
      throw new IOException("the fork ended with " + process.exitValue());
    }
  }

  private void note(String[] words) {
    Figures rival = figures.computeIfAbsent(words[1], Figures::new);
    if (words[0].equals("ratio")) {
      rival.addRatio(words[2], Double.parseDouble(words[3]));
    } else {
      rival.addCall(Long.parseLong(words[2]), Integer.parseInt(words[3]));
    }
  }

  private String table(Surroundings here) {
    String head =
        """
        bcrypt cost %d, %s, %d cores, %s, commit %s;
        %d forks of %d rounds%s; CPU time of the hashing thread; medians of pairs (p10-p90).

        | kernel       | x spring         | x C, same lanes  | x best loop in C | hashes/s | call | ms/call p50 / p90 |
        |--------------|------------------|------------------|------------------|----------|------|-------------------|
        """
            .formatted(
                options.cost(),
                here.machine(),
                here.cores(),
                here.jdk(),
                here.commit(),
                options.forks(),
                options.rounds(),
                pinned ? ", pinned to core " + options.cpu() : "");
    return figures.values().stream()
        .map(Figures::row)
        .collect(Collectors.joining("\n", head, "\n"));
  }

  private String json(Surroundings here) {
    return figures.values().stream()
        .map(Figures::json)
        .collect(
            Collectors.joining(
                ",",
                "{\"benchmark\":\"kernel\",\"cost\":%d,\"forks\":%d,\"rounds\":%d,\"pinned\":%b,"
                        .formatted(options.cost(), options.forks(), options.rounds(), pinned)
                    + "\"setting\":"
                    + here.json()
                    + ",\"kernels\":[",
                "]}"));
  }
}
