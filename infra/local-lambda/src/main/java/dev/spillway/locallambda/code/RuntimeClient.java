package dev.spillway.locallambda.code;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * AWS's Java runtime interface client: the program that the managed {@code java25} runtime runs
 * around a handler. Its jars are found on our own class path and copied beside the function, so
 * that a function's class path, and with it its AOT cache, stays the same wherever we run from.
 */
final class RuntimeClient {
  /** The system property that names the native part's file. */
  static final String NATIVE =
      "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

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

  /**
   * Copies the client's native part, for this machine, to {@code directory}. Left to itself the
   * client unpacks it to /tmp/.libaws-lambda-jni.so at every start. On Lambda each environment has
   * a /tmp of its own, and in a sandbox here; without one, an environment would overwrite what
   * another has mapped: SIGBUS.
   */
  static Path nativeCopyTo(Path directory) throws IOException {
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    boolean musl =
        Files.exists(Path.of("/lib/ld-musl-x86_64.so.1"))
            || Files.exists(Path.of("/lib/ld-musl-aarch64.so.1"));
    String name =
        "libaws-lambda-jni.linux%s-%s.so"
            .formatted(musl ? "_musl" : "", arm ? "aarch_64" : "x86_64");
    Path copy = directory.resolve(name);
    if (!Files.exists(copy)) {
      Path partial = directory.resolve(name + ".partial");
      try (InputStream in =
          RuntimeClient.class.getClassLoader().getResourceAsStream("jni/" + name)) {
        if (in == null) {
          throw new IOException("aws-lambda-java-runtime-interface-client has no " + name);
        }
        Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.move(partial, copy);
    }
    return copy;
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
