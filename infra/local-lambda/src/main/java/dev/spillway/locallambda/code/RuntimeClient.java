package dev.spillway.locallambda.code;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * AWS's Java runtime interface client: the program that the managed {@code java25} runtime runs
 * around a handler. Its jars are found on our own class path and copied beside the function, so
 * that a function's class path, and with it its AOT cache, stays the same wherever we run from.
 */
final class RuntimeClient {
  static final String MAIN = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";

  /** One class of each jar the client consists of. */
  private static final List<String> MARKERS =
      List.of(
          MAIN,
          "com.amazonaws.services.lambda.runtime.Context",
          "com.amazonaws.services.lambda.runtime.serialization.PojoSerializer",
          "software.amazon.awssdk.utilslite.SdkInternalThreadLocal");

  private RuntimeClient() {}

  /** Copies the jars to {@code directory} where they are not there yet. */
  static List<Path> copyTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> copies = new ArrayList<>();
    for (Path jar : jars()) {
      Path copy = directory.resolve(String.valueOf(jar.getFileName()));
      if (!Files.exists(copy)) {
        Files.copy(jar, copy);
      }
      copies.add(copy);
    }
    return List.copyOf(copies);
  }

  /** The jars as they are on our class path; their names carry their versions. */
  static List<Path> jars() {
    return MARKERS.stream().map(RuntimeClient::jarOf).distinct().toList();
  }

  private static Path jarOf(String className) {
    String resource = className.replace('.', '/') + ".class";
    URL found = RuntimeClient.class.getClassLoader().getResource(resource);
    if (found == null) {
      throw new IllegalStateException(
          "aws-lambda-java-runtime-interface-client is not on the class path: no " + className);
    }
    try {
      if (found.openConnection() instanceof JarURLConnection jar) {
        return Path.of(URI.create(jar.getJarFileURL().toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException("not in a jar of its own: " + found);
  }
}
