package dev.spillway.locallambda.environment;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * libc's kill(2). A call, not a forked {@code kill}: freezing happens between every two
 * invocations, and a fork costs more than the freeze.
 */
final class Signals {
  private static final boolean LINUX = System.getProperty("os.name").equals("Linux");

  static final int KILL = 9;
  static final int TERM = 15;
  // The two that number differently on macOS.
  static final int STOP = LINUX ? 19 : 17;
  static final int CONTINUE = LINUX ? 18 : 19;

  private static final MethodHandle LIBC_KILL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private Signals() {}

  /** Sends {@code signal} to one process; false where there is none. */
  static boolean process(long pid, int signal) {
    return kill(Math.toIntExact(pid), signal);
  }

  /** Sends {@code signal} to every process of a group; false where there is none. */
  static boolean group(long leader, int signal) {
    return kill(-Math.toIntExact(leader), signal);
  }

  private static boolean kill(int pid, int signal) {
    if (pid == 0 || pid == -1 || pid == 1) {
      throw new IllegalArgumentException("not a process of ours: " + pid);
    }
    try {
      return (int) LIBC_KILL.invokeExact(pid, signal) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("kill(2) cannot be called", e);
    }
  }
}
