package dev.spillway.acceptance;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Programs that some tests want and not every machine has. In CI, which sets {@code
 * SPILLWAY_PROGRAMS=required}, they must be there.
 */
final class Programs {
  private Programs() {}

  /** The first of these names that is in the {@code PATH}. */
  static Optional<Path> find(String... names) {
    return Stream.of(names)
        .flatMap(
            name ->
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                    .map(directory -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Reports a missing program on standard error before the test is skipped; fails in CI. */
  static String missing(String what) {
    String why = what + " in the PATH";
    if ("required".equals(System.getenv("SPILLWAY_PROGRAMS"))) {
      throw new AssertionError(why);
    }
    System.err.println(why);
    return why;
  }
}
