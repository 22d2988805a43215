package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A temporary directory and the processes that live in it. All of it is gone when this is closed,
 * or this JVM ends in whatever way it can notice.
 */
final class Site implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(10_000, 15_000));
  private static final boolean GUARD = works("setpriv", "--pdeathsig", "KILL", "true");

  /** Whether a process can be put behind all normal ones from its start. */
  static final boolean CAN_STEP_ASIDE = works("chrt", "--batch", "0", "true");

  private final Path directory;
  private final List<Process> processes = new ArrayList<>();
  private final Thread hook = new Thread(this::end, "site-end");

  Site() throws IOException {
    directory = Files.createTempDirectory("spillway-bench");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  Path path(String name) {
    return directory.resolve(name);
  }

  /**
   * Starts a JVM like this one; what it says goes to {@code NAME.log}, unless {@code talks}.
   *
   * @param aside whether it is scheduled as hash threads are
   * @param talks whether its standard input and output are ours
   */
  Process java(
      String name, boolean aside, boolean talks, Map<String, String> environment, List<String> args)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (aside && CAN_STEP_ASIDE) {
      command.addAll(List.of("chrt", "--batch", "0"));
    }
    command.add(java());
    command.addAll(args);
    return start(name, talks, environment, command);
  }

  /** The program that runs this JVM. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Starts any program; likewise. */
  synchronized Process start(
      String name, boolean talks, Map<String, String> environment, List<String> program)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (GUARD) {
      command.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
    }
    command.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(environment);
    builder.redirectError(log(name).toFile());
    if (!talks) {
      builder.redirectErrorStream(true).redirectOutput(log(name).toFile());
    }
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  Path log(String name) {
    return path(name + ".log");
  }

  /** The end of what a process said, for the one who must find out why it failed. */
  String lastWords(String name) {
    try {
      List<String> lines = Files.readAllLines(log(name));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "(nothing)";
    }
  }

  /**
   * A port that nobody has at this moment, and that nobody gets who does not ask for it by its
   * number: none of those that the kernel chooses from.
   */
  static int freePort() throws IOException {
    while (true) {
      int port = NEXT_PORT.getAndIncrement();
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // the next one, then
      }
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // this JVM is ending, and the hook at work
    }
    end();
  }

  private synchronized void end() {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      try {
        if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        processes.forEach(Process::destroyForcibly);
        Thread.currentThread().interrupt();
      }
    }
    processes.clear();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("left behind: " + directory);
    }
  }

  private static boolean works(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
