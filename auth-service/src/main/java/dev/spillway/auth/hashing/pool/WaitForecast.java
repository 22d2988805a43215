package dev.spillway.auth.hashing.pool;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;

/** How long a newcomer would stand in line, from what the running hashes still need. */
final class WaitForecast {
  private final HashTimes times;

  WaitForecast(HashTimes times) {
    this.times = times;
  }

  /**
   * @param running jobs that hold a permit
   * @param ahead callers already in line
   * @param cost of the newcomer's hash; those ahead are taken to be like it
   * @return zero when a permit is free or nothing is known yet
   */
  Duration forNewcomer(Collection<PoolJob> running, int size, int ahead, int cost) {
    long[] leftNanos =
        running.stream()
            .mapToLong(job -> times.of(job.setting().cost()).minus(job.elapsed()).toNanos())
            .map(nanos -> Math.max(0, nanos))
            .toArray();
    int position = ahead - (size - leftNanos.length);
    if (position < 0 || leftNanos.length == 0) {
      return Duration.ZERO;
    }
    Arrays.sort(leftNanos);
    long rounds = position / leftNanos.length;
    return Duration.ofNanos(leftNanos[position % leftNanos.length])
        .plus(times.of(cost).multipliedBy(rounds));
  }
}
