package dev.spillway.locallambda.code;

import java.nio.file.Path;
import java.util.List;

/** How an unpacked package is started. */
public sealed interface Entrypoint {
  /** An OS-only package (provided.al2023): {@code bootstrap} at its root is the program. */
  record Bootstrap(Path program) implements Entrypoint {}

  /** A bootstrap that exec would refuse; Lambda says so at the first invocation, not at deploy. */
  record Invalid(String why) implements Entrypoint {}

  /**
   * A managed-Java package: AWS's runtime client runs {@code handler} on this class path.
   *
   * @param clientOptions JVM options that the client needs
   */
  record ManagedJava(
      List<String> clientOptions, List<Path> classPath, String mainClass, String handler)
      implements Entrypoint {
    public ManagedJava {
      clientOptions = List.copyOf(clientOptions);
      classPath = List.copyOf(classPath);
    }
  }
}
