package dev.spillway.auth.hashing.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * How the operating system weighs hash threads against all others. Lowered threads use every core
 * and still step aside within microseconds when a thread with an answer to send wakes up; figures
 * in docs/performance.md. Linux only: its scheduler takes each thread by itself (sched(7)).
 */
public enum HashPriority {
  /** SCHED_IDLE: behind every normal thread of the machine. */
  IDLE(5, 0),
  /** SCHED_BATCH with nice 19: a small share against normal threads, longer slices. */
  BATCH(3, 19),
  /** Nice 19 under the normal policy. */
  NICE(0, 19),
  /** As every other thread. */
  NORMAL(0, 0);

  private static final int PRIO_PROCESS = 0;
  private static final int CALLING_THREAD = 0;

  private final int policy;
  private final int nice;

  HashPriority(int policy, int nice) {
    this.policy = policy;
    this.nice = nice;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Applies to the calling platform thread, for good: no privilege is needed to lower, one may be
   * to raise again.
   *
   * @return false if this system cannot or will not
   */
  public boolean applyToCallingThread() {
    if (this == NORMAL) {
      return true;
    }
    if (!System.getProperty("os.name").equals("Linux")) {
      return false;
    }
    try {
      return Libc.setScheduler(CALLING_THREAD, policy) == 0
          && (nice == 0 || Libc.setPriority(PRIO_PROCESS, CALLING_THREAD, nice) == 0);
    } catch (RuntimeException | LinkageError e) {
      return false; // no such function here, or native access is denied
    }
  }

  /** Tries on a thread made for it. */
  public boolean works() {
    boolean[] answer = new boolean[1];
    Thread probe = Thread.ofPlatform().start(() -> answer[0] = applyToCallingThread());
    try {
      probe.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return answer[0];
  }

  /** sched_setscheduler(2) and setpriority(2); on Linux both take a thread, 0 the calling one. */
  private static final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SCHED_SETSCHEDULER =
        handle(
            "sched_setscheduler",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS));
    private static final MethodHandle SETPRIORITY =
        handle(
            "setpriority",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT));

    static int setScheduler(int thread, int policy) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment schedParam = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
        return (int) SCHED_SETSCHEDULER.invokeExact(thread, policy, schedParam);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    static int setPriority(int which, int thread, int nice) {
      try {
        return (int) SETPRIORITY.invokeExact(which, thread, nice);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
      return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), descriptor);
    }
  }
}
