package dev.spillway.benchmarks.service;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Where this repository lies, and what has been built in it. */
final class Home {
  private static final Path ROOT = find();

  static final Path AUTH_SERVICE = path("auth-service/target/quarkus-app/quarkus-run.jar");
  static final Path NAIVE_SERVICE =
      path("benchmarks/naive-service/target/quarkus-app/quarkus-run.jar");
  static final Path LOCAL_LAMBDA = path("infra/local-lambda/target/local-lambda.jar");
  static final Path FUNCTION = path("hash-lambda/target/function.zip");
  static final Path TEMPLATE = path("template.yaml");

  private Home() {}

  static Path path(String first, String... more) {
    return ROOT.resolve(Path.of(first, more));
  }

  /** Of this JVM, for one that runs in another directory. */
  static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** As the launcher says, or three levels above {@code benchmarks/target/benchmarks.jar}. */
  private static Path find() {
    String told = System.getenv("SPILLWAY_HOME");
    if (told != null) {
      return Path.of(told).toAbsolutePath();
    }
    try {
      Path here =
          Path.of(Home.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .toAbsolutePath();
      for (Path dir = here; dir != null; dir = dir.getParent()) {
        if (Files.exists(dir.resolve("template.yaml"))) {
          return dir;
        }
      }
      throw new IllegalStateException("no repository above " + here + "; set SPILLWAY_HOME");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
