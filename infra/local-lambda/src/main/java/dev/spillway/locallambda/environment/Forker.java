package dev.spillway.locallambda.environment;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Starts processes that cannot outlive us, each the leader of a session and process group of its
 * own.
 *
 * <p>A frozen process ignores everything but SIGKILL, so somebody else has to end it when we are
 * killed. The kernel does it for the process we forked, from its first instant (PR_SET_PDEATHSIG);
 * the {@link Guardian} does it for the whole group. The kernel's signal fires when the forking
 * <em>thread</em> ends (prctl(2)), hence one platform thread that forks everything and lives as
 * long as the JVM.
 */
public final class Forker {
  private static final ExecutorService THREAD =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("local-lambda-forker").factory());

  private static final Optional<Path> SETSID = onPath("setsid");
  private static final Optional<Path> SETPRIV = onPath("setpriv");

  /** Touched by the forking thread only; null until the first fork. */
  private static Guardian guardian;

  /** Pids of what was forked and has not ended; touched by the forking thread only. */
  private static final Set<Long> FORKED = new HashSet<>();

  private Forker() {}

  /** What this machine lacks, for the user to read; empty where nothing is lacking. */
  public static Optional<String> shortcoming() {
    return SETSID.isPresent() && SETPRIV.isPresent()
        ? Optional.empty()
        : Optional.of(
            "setpriv or setsid (util-linux) is missing: what an environment's process forks in"
                + " turn may outlive a kill -9 of local-lambda");
  }

  /** Whether {@link Signals#group} reaches a process started here. */
  static boolean ownGroup() {
    return SETSID.isPresent();
  }

  static Process fork(ProcessBuilder builder) throws IOException {
    List<String> command = new ArrayList<>(session());
    SETPRIV.ifPresent(
        setpriv -> command.addAll(List.of(setpriv.toString(), "--pdeathsig", "KILL", "--")));
    command.addAll(builder.command());
    builder.command(command);
    Future<Process> forked =
        THREAD.submit(
            () -> {
              awaken();
              Process process = builder.start();
              FORKED.add(process.pid());
              try {
                watch(process.pid());
              } catch (IOException e) {
                FORKED.remove(process.pid());
                process.destroyForcibly();
                throw e;
              }
              return process;
            });
    try {
      return forked.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while forking");
    }
  }

  /** The process and its group are gone. */
  static void ended(Process process) {
    var _ =
        THREAD.submit(
            () -> {
              FORKED.remove(process.pid());
              guardian.forget(process.pid());
              return null;
            });
  }

  /** There is a guardian, and it knows of all that live. */
  private static void awaken() throws IOException {
    if (guardian == null || !guardian.isAlive()) {
      replaceGuardian();
    }
  }

  private static void watch(long pid) throws IOException {
    try {
      guardian.watch(pid);
    } catch (IOException ended) {
      // Just now, and the JDK has not noticed yet.
      replaceGuardian();
    }
  }

  private static void replaceGuardian() throws IOException {
    guardian = Guardian.start(session());
    for (long pid : FORKED) {
      guardian.watch(pid);
    }
  }

  /** setsid execs in place: a child of the JVM is in the JVM's group and leads none. */
  private static List<String> session() {
    return new ArrayList<>(SETSID.map(Path::toString).stream().toList());
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of("/usr/bin", "/bin", "/usr/local/bin")
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
