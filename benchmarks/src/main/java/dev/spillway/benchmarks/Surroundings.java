package dev.spillway.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where and on what a measurement was made: without it figures mean nothing. */
public record Surroundings(String commit, String machine, int cores, String jdk) {
  private static final String UNKNOWN = "unknown";

  public static Surroundings here() {
    return new Surroundings(
        firstLineOf("git", "rev-parse", "--short", "HEAD"),
        processor(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vendor") + " " + Runtime.version());
  }

  /** As a JSON object, for the last line of a benchmark. */
  public String json() {
    return "{\"commit\":\"%s\",\"machine\":\"%s\",\"cores\":%s,\"jdk\":\"%s\"}"
        .formatted(commit, machine, cores, jdk);
  }

  /** Whether a program can be started here. */
  static boolean has(String program) {
    return !firstLineOf(program, "--version").equals(UNKNOWN);
  }

  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name") || line.startsWith("CPU part"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static String firstLineOf(String... command) {
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var output = process.inputReader()) {
        String line = output.readLine();
        return line == null ? UNKNOWN : line;
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
