package dev.spillway.auth.hashing;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The function's package that tests run: the JVM's, or the one that {@code function.package} names.
 */
public final class FunctionPackage {
  private FunctionPackage() {}

  public static Path underTest() {
    return Optional.ofNullable(System.getProperty("function.package"))
        .map(Path::of)
        .orElse(Path.of("..", "hash-lambda", "target", "function.zip"))
        .toAbsolutePath()
        .normalize();
  }
}
