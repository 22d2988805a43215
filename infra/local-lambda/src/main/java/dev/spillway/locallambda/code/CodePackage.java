package dev.spillway.locallambda.code;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A function's package, unpacked once per content and kept: {@code task/} is what /var/task is on
 * Lambda, {@code runtime/} holds AWS's client, and an AOT cache may lie beside them.
 *
 * @param directory the package's place in the cache
 */
public record CodePackage(Path directory, Entrypoint entrypoint) {
  /** What a template for an OS-only runtime writes where the schema wants a handler. */
  private static final String NO_HANDLER = "not.used.in.provided.runtime";

  private static final String QUARKUS =
      "io.quarkus.amazon.lambda.runtime.QuarkusStreamHandler::handleRequest";

  /** Unpacks {@code source} under {@code cache}, or finds it there. */
  public static CodePackage of(Path source, String handler, Path cache) throws IOException {
    if (!Files.exists(source)) {
      throw new IOException("no package at " + source + ": build it first");
    }
    var digest = new Digest().tree(source);
    RuntimeClient.jars().forEach(jar -> digest.text(String.valueOf(jar.getFileName())));
    var packages = new PackageCache(Files.createDirectories(cache).toRealPath());
    String key = digest.hex();
    try (FileChannel channel = packages.lockFile(key);
        FileLock _ = Locks.exclusive(channel)) {
      Path directory = packages.use(key);
      if (!Files.exists(directory.resolve("task"))) {
        Path partial = directory.resolve("task.partial");
        Trees.delete(partial);
        Unpacking.unpack(source, partial);
        Files.move(partial, directory.resolve("task"));
      }
      packages.prune();
      return new CodePackage(directory, entrypoint(directory, handler));
    }
  }

  /** What LAMBDA_TASK_ROOT names. */
  public Path taskRoot() {
    return directory.resolve("task");
  }

  private static Entrypoint entrypoint(Path directory, String handler) throws IOException {
    Path task = directory.resolve("task");
    Path bootstrap = task.resolve("bootstrap");
    Path lib = task.resolve("lib");
    boolean java = Files.isDirectory(lib) || hasClasses(task);
    if (Files.exists(bootstrap) || !java) {
      var refusal = Executable.refusal(bootstrap);
      return refusal.isEmpty()
          ? new Entrypoint.Bootstrap(bootstrap)
          : new Entrypoint.Invalid(refusal.get());
    }
    Path runtime = directory.resolve("runtime");
    List<Path> classPath = new ArrayList<>(RuntimeClient.copyTo(runtime));
    Path classes = directory.resolve("classes.jar");
    if (!Files.exists(classes)) {
      Path partial = directory.resolve("classes.partial");
      Unpacking.jarOfClasses(task, partial);
      Files.move(partial, classes);
    }
    classPath.add(classes);
    if (Files.isDirectory(lib)) {
      try (Stream<Path> jars = Files.list(lib)) {
        jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().forEach(classPath::add);
      }
    }
    boolean quarkus = handler.isEmpty() || handler.startsWith(NO_HANDLER);
    return new Entrypoint.ManagedJava(
        List.of("-D" + RuntimeClient.NATIVE + "=" + RuntimeClient.nativeCopyTo(runtime)),
        classPath,
        RuntimeClient.MAIN,
        quarkus ? QUARKUS : handler);
  }

  private static boolean hasClasses(Path task) throws IOException {
    try (Stream<Path> walk = Files.walk(task)) {
      return walk.anyMatch(file -> file.toString().endsWith(".class"));
    }
  }
}
