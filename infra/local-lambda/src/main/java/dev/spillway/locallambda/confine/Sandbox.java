package dev.spillway.locallambda.confine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a function's process sees of this machine, by bubblewrap: programs, libraries and
 * configuration, its package at /var/task, processes of its own, and nothing it could write to but
 * a /tmp of its own.
 *
 * <p>The network stays: the Runtime API is on loopback, and a network namespace has another.
 */
public final class Sandbox {
  /** Where the package lies, as on Lambda. */
  public static final Path TASK = Path.of("/var/task");

  private static final Path RUNTIME = Path.of("/var/runtime");

  /** Lambda's default; it is memory here. */
  private static final long TMP_BYTES = 512L << 20;

  /** What a dynamically linked program or a JDK may need; on most systems some are links. */
  private static final List<Path> SYSTEM =
      Stream.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/nix/store")
          .map(Path::of)
          .toList();

  private final Path bubblewrap;

  private Sandbox(Path bubblewrap) {
    this.bubblewrap = bubblewrap;
  }

  private static final List<Path> PROGRAMS =
      Stream.of("/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap").map(Path::of).toList();

  /**
   * The sandbox this machine can give; empty where it can give none, or none is wanted.
   *
   * @throws IOException where there is none and there must be one
   */
  public static Optional<Sandbox> find(Demand demand, Consumer<String> log) throws IOException {
    return find(demand, PROGRAMS, log);
  }

  static Optional<Sandbox> find(Demand demand, List<Path> programs, Consumer<String> log)
      throws IOException {
    if (demand == Demand.OFF) {
      return Optional.empty();
    }
    String lacking;
    Optional<Path> program = programs.stream().filter(Files::isExecutable).findFirst();
    if (program.isPresent()) {
      var sandbox = new Sandbox(program.get());
      try {
        // A kernel or its administrator may forbid what the program asks for.
        Probe.run(sandbox.around(List.of("/bin/true")));
        return Optional.of(sandbox);
      } catch (IOException e) {
        lacking = e.getMessage();
      }
    } else {
      lacking = "bwrap is missing (Debian: apt-get install bubblewrap)";
    }
    if (demand == Demand.ON) {
      throw new IOException("no sandbox to be had: " + lacking);
    }
    log.accept("no sandbox, functions see this machine's files and processes: " + lacking);
    return Optional.empty();
  }

  /**
   * The command, run in a sandbox of its own.
   *
   * @param code a package's place in the cache, {@code task} and {@code runtime} below it
   * @param output a directory that stays writable
   */
  public List<String> around(List<String> command, Path code, Optional<Path> output) {
    List<String> packages = new ArrayList<>();
    // At its own place too: an AOT cache knows its class path by name.
    Stream.of(code, Path.of(System.getProperty("java.home")))
        .forEach(path -> packages.addAll(List.of("--ro-bind", path.toString(), path.toString())));
    packages.addAll(List.of("--ro-bind", code.resolve("task").toString(), TASK.toString()));
    if (Files.exists(code.resolve("runtime"))) {
      packages.addAll(List.of("--ro-bind", code.resolve("runtime").toString(), RUNTIME.toString()));
    }
    output.ifPresent(path -> packages.addAll(List.of("--bind", path.toString(), path.toString())));
    return assemble(packages, TASK, command);
  }

  private List<String> around(List<String> command) {
    return assemble(List.of(), Path.of("/"), command);
  }

  private List<String> assemble(List<String> packages, Path directory, List<String> command) {
    List<String> line = new ArrayList<>();
    line.add(bubblewrap.toString());
    line.addAll(List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent"));
    // Root's own too, so that a read-only file system stays one.
    line.addAll(List.of("--cap-drop", "ALL"));
    for (Path path : SYSTEM) {
      if (Files.isSymbolicLink(path)) {
        line.addAll(List.of("--symlink", target(path), path.toString()));
      } else if (Files.isDirectory(path)) {
        line.addAll(List.of("--ro-bind", path.toString(), path.toString()));
      }
    }
    line.addAll(List.of("--dev", "/dev", "--proc", "/proc"));
    line.addAll(List.of("--perms", "1777", "--size", Long.toString(TMP_BYTES), "--tmpfs", "/tmp"));
    line.addAll(packages);
    // /dev/shm is part of /dev, and not bounded. Root may write /proc/sys by owning its files, and
    // bubblewrap, which looks at the folder, leaves it open.
    Stream.of("/dev", "/proc", "/").forEach(path -> line.addAll(List.of("--remount-ro", path)));
    line.addAll(List.of("--chdir", directory.toString(), "--"));
    line.addAll(command);
    return line;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      throw new IllegalStateException("a link that cannot be read: " + link, e);
    }
  }
}
