package dev.spillway.hashing.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * CPU time of this process, by clock_gettime(2). The JVM's own figure advances in steps of 10 ms,
 * which is a tenth of a quota's period. Not for several threads at once.
 */
final class ProcessClock implements LongSupplier {
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2; // of Linux

  private final MethodHandle clockGetTime;
  private final MemorySegment time = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, 2);

  private ProcessClock(MethodHandle clockGetTime) {
    this.clockGetTime = clockGetTime;
  }

  /** Empty where this system has none. */
  static Optional<LongSupplier> create() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.empty();
    }
    try {
      Linker linker = Linker.nativeLinker();
      ProcessClock clock =
          new ProcessClock(
              linker.downcallHandle(
                  linker.defaultLookup().find("clock_gettime").orElseThrow(),
                  FunctionDescriptor.of(
                      ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS)));
      clock.getAsLong();
      return Optional.of(clock);
    } catch (RuntimeException | LinkageError e) {
      return Optional.empty();
    }
  }

  @Override
  public long getAsLong() {
    try {
      if ((int) clockGetTime.invokeExact(CLOCK_PROCESS_CPUTIME_ID, time) != 0) {
        throw new IllegalStateException("clock_gettime failed");
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000
        + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
  }
}
