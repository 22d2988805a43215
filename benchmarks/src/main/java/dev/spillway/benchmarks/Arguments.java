package dev.spillway.benchmarks;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The options of a command, one after another. Whatever is not understood is an {@link
 * IllegalArgumentException} that says what was expected.
 */
public final class Arguments {
  private final Deque<String> rest;
  private String option = "";

  public Arguments(String... arguments) {
    rest = new ArrayDeque<>(List.of(arguments));
  }

  public boolean hasNext() {
    return !rest.isEmpty();
  }

  /** The next option; {@link #value} and its like are about this one then. */
  public String next() {
    option = rest.remove();
    return option;
  }

  public String value() {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(option + " takes a value");
    }
    return rest.remove();
  }

  public int number(int min, int max) {
    return (int) number((long) min, max);
  }

  public long number(long min, long max) {
    String text = value();
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(option + " takes a number from " + min + " to " + max);
  }

  /** At least {@code min} and {@code max} at most, decimals allowed. */
  public double decimal(double min, double max) {
    String text = value();
    try {
      double number = Double.parseDouble(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "%s takes a number from %s to %s".formatted(option, plain(min), plain(max)));
  }

  /** A file to write to; a bare name is one in {@code benchmarks/results}. */
  public Path result() {
    Path file = Path.of(value());
    String home = System.getenv().getOrDefault("SPILLWAY_HOME", "");
    return file.getNameCount() == 1 && !file.isAbsolute()
        ? Path.of(home, "benchmarks", "results").resolve(file)
        : file;
  }

  public IllegalArgumentException unknown() {
    return new IllegalArgumentException("unknown option " + option);
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
