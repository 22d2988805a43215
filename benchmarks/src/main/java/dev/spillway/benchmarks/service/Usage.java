package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * CPU used so far: by a service's hash threads, by all of the service, and by this process, which
 * makes the load. Linux only, see proc_pid_stat(5).
 */
record Usage(long atNanos, Duration hashing, Duration service, Duration load) {
  private static final int UTIME = 11; // fields after the closing parenthesis, from 0
  private static final int STIME = 12;
  private static final Duration TICK = Duration.ofMillis(10); // USER_HZ is 100 everywhere

  static Usage of(Service service) throws IOException {
    Path process = Path.of("/proc", Long.toString(service.pid()));
    return new Usage(
        System.nanoTime(),
        hashing(process),
        cpu(Files.readString(process.resolve("stat"))),
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
  }

  /** How many hash threads a service has. */
  static int hashThreads(Service service) throws IOException {
    try (Stream<Path> threads = threads(Path.of("/proc", Long.toString(service.pid())))) {
      return (int) threads.map(Usage::stat).filter(Usage::isHashThread).count();
    }
  }

  Usage since(Usage earlier) {
    return new Usage(
        atNanos - earlier.atNanos,
        hashing.minus(earlier.hashing),
        service.minus(earlier.service),
        load.minus(earlier.load));
  }

  /** Of this difference: how many cores {@code cpu} kept busy. */
  double cores(Duration cpu) {
    return (double) cpu.toNanos() / atNanos;
  }

  private static Duration hashing(Path process) throws IOException {
    try (Stream<Path> threads = threads(process)) {
      return threads
          .map(Usage::stat)
          .filter(Usage::isHashThread)
          .map(Usage::cpu)
          .reduce(Duration.ZERO, Duration::plus);
    }
  }

  private static Stream<Path> threads(Path process) throws IOException {
    return Files.list(process.resolve("task"));
  }

  /** Empty if the thread has ended meanwhile. */
  private static String stat(Path thread) {
    try {
      return Files.readString(thread.resolve("stat"));
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      return ""; // ESRCH while reading
    }
  }

  private static boolean isHashThread(String stat) {
    return stat.matches("(?s)\\d+ \\(hash-\\d+\\) .*");
  }

  private static Duration cpu(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return TICK.multipliedBy(Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]));
  }
}
