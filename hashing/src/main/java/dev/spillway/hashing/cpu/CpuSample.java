package dev.spillway.hashing.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * What was used of the CPU up to one moment.
 *
 * @param at on a clock that only goes forward
 * @param had by hash threads
 * @param wanted by hash threads: the time in which they had work
 * @param paused by hash threads, because of the quota
 * @param process CPU time of this process
 * @param machine CPU time of everything on this machine
 * @param throttled periods of the quota that ended early
 */
record CpuSample(
    Duration at,
    Duration had,
    Duration wanted,
    Duration paused,
    Duration process,
    Duration machine,
    long throttled) {
  private static final int TICKS_PER_SECOND = 100; // USER_HZ of every Linux system that runs a JVM

  static CpuSample take(HashCpu cpu, ControlGroup.Quota quota) {
    return new CpuSample(
        Duration.ofNanos(System.nanoTime()),
        cpu.had(),
        cpu.wanted(),
        cpu.paused(),
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO),
        machine(Path.of("/proc/stat")),
        quota.throttled());
  }

  /**
   * Of all processors together: the first line's user, nice, system, irq, softirq and steal, see
   * proc(5). Zero where there is no such file.
   */
  static Duration machine(Path stat) {
    try (var lines = Files.lines(stat)) {
      long[] ticks =
          Arrays.stream(lines.findFirst().orElse("cpu").split(" +"))
              .skip(1)
              .mapToLong(Long::parseLong)
              .toArray();
      long busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
      return Duration.ofMillis(busy * 1_000 / TICKS_PER_SECOND);
    } catch (IOException | RuntimeException e) {
      return Duration.ZERO;
    }
  }

  /** Cores that this process used since then, hash threads apart. */
  double restCores(CpuSample since) {
    Duration rest = process.minus(since.process).minus(had.minus(since.had));
    return Math.max(0, cores(rest, since));
  }

  /** How many cores that time is, spread over the time since then. */
  double cores(Duration used, CpuSample since) {
    return (double) used.toNanos() / Math.max(1, at.minus(since.at).toNanos());
  }
}
