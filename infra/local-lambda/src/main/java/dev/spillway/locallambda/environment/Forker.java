package dev.spillway.locallambda.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Starts processes that cannot outlive us, each the leader of a session and process group of its
 * own.
 *
 * <p>A frozen process ignores everything but SIGKILL, so only the kernel can end it when we are
 * killed: PR_SET_PDEATHSIG. That signal fires when the forking <em>thread</em> ends (prctl(2)),
 * hence one platform thread that forks everything and lives as long as the JVM.
 */
public final class Forker {
  private static final ExecutorService THREAD =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("local-lambda-forker").factory());

  private static final Optional<Path> SETSID = onPath("setsid");
  private static final Optional<Path> SETPRIV = onPath("setpriv");

  private Forker() {}

  /** What this machine lacks, for the user to read; empty where nothing is lacking. */
  public static Optional<String> shortcoming() {
    return SETSID.isPresent() && SETPRIV.isPresent()
        ? Optional.empty()
        : Optional.of(
            "setpriv or setsid (util-linux) is missing: kill -9 of local-lambda will leave its"
                + " environments behind");
  }

  /** Whether {@link Signals#group} reaches a process started here. */
  static boolean ownGroup() {
    return SETSID.isPresent();
  }

  static Process fork(ProcessBuilder builder) throws IOException {
    List<String> command = new ArrayList<>();
    // setsid execs in place: a child of the JVM is in the JVM's group and leads none.
    SETSID.ifPresent(setsid -> command.add(setsid.toString()));
    SETPRIV.ifPresent(
        setpriv -> command.addAll(List.of(setpriv.toString(), "--pdeathsig", "KILL", "--")));
    command.addAll(builder.command());
    builder.command(command);
    try {
      return CompletableFuture.supplyAsync(() -> start(builder), THREAD).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof UncheckedIOException io) {
        throw io.getCause();
      }
      throw e;
    }
  }

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<Path> onPath(String program) {
    return Stream.of("/usr/bin", "/bin", "/usr/local/bin")
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
