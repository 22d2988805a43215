package dev.spillway.locallambda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits that look at the state they wait for. */
final class Observe {
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private Observe() {}

  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("still not so: " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  /** The process's state in /proc, {@code T} when stopped; X where there is no process. */
  static char processState(long pid) {
    return stat(pid, 2).charAt(0);
  }

  /** User and system time used, in ticks. */
  static long cpuTicks(long pid) {
    return Long.parseLong(stat(pid, 13)) + Long.parseLong(stat(pid, 14));
  }

  static boolean exists(long pid) {
    char state = processState(pid);
    return state != 'X' && state != 'Z';
  }

  /** A field of proc_pid_stat(5), counted from 0; the name in field 1 may hold spaces. */
  private static String stat(long pid, int field) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[field - 2];
    } catch (IOException e) {
      return "X";
    }
  }
}
