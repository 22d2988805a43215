package dev.spillway.hashing.cpu;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** Says at most once a minute that hashing is short of CPU, or that the quota stops the service. */
final class CpuLog {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** One in twenty of a minute's periods of 100 ms. */
  private static final long MANY = 30;

  private final Consumer<String> log;
  private Duration mayBeShortAt = Duration.ofNanos(Long.MIN_VALUE);
  private CpuSample minuteAgo;

  CpuLog(Consumer<String> log) {
    this.log = log;
  }

  void say(CpuSample now, CpuShare share, ControlGroup.Quota quota) {
    if (share.isShort() && now.at().compareTo(mayBeShortAt) >= 0) {
      log.accept("The hash pool is short of CPU: " + share.reason());
      mayBeShortAt = now.at().plus(MINUTE);
    }
    if (minuteAgo == null) {
      minuteAgo = now;
    }
    if (now.at().minus(minuteAgo.at()).compareTo(MINUTE) >= 0) {
      long throttled = now.throttled() - minuteAgo.throttled();
      if (throttled > MANY) {
        log.accept(
            String.format(
                Locale.ROOT,
                "The container's CPU quota of %.2f cores was used up in %d periods of the last"
                    + " minute, and all threads stopped until their end; see docs/deploy.md",
                quota.cores(),
                throttled));
      }
      minuteAgo = now;
    }
  }
}
