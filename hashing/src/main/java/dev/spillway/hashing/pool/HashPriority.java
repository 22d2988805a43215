package dev.spillway.hashing.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * How the operating system's scheduler treats hash threads. Linux only, where it takes each thread
 * by itself (sched(7)); figures are in docs/performance.md.
 */
public enum HashPriority {
  /**
   * SCHED_BATCH: the weight of a normal thread, but never ahead of one that wakes up. So an event
   * loop or a health check runs at once, and neither this process nor a busy neighbour takes more
   * than its share. A lower weight (nice, SCHED_IDLE) gives up hashing under overload and gains no
   * responsiveness.
   */
  LOWERED,
  /** As every other thread. */
  NORMAL;

  private static final int SCHED_BATCH = 3;
  private static final int CALLING_THREAD = 0;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Applies to the calling platform thread, for good; no privilege is needed.
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
      return Libc.setScheduler(CALLING_THREAD, SCHED_BATCH) == 0;
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

  /** sched_setscheduler(2); on Linux it takes a thread, 0 the calling one. */
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

    static int setScheduler(int thread, int policy) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment schedParam = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
        return (int) SCHED_SETSCHEDULER.invokeExact(thread, policy, schedParam);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
      return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), descriptor);
    }
  }
}
