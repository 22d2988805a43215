package dev.spillway.benchmarks.overload;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * When which login is due, fixed before the first is sent: it depends on no answer. Logins of
 * {@link Pace.Closed} are due when their client is free, of which nothing is known here.
 */
final class Schedule {
  static final long NEVER = Long.MAX_VALUE;

  private final SplittableRandom random;
  private final List<Traffic> traffic;
  private final long endNanos;

  /** Of the next login of each traffic, from the start. */
  private final long[] dueNanos;

  private final int[] left;

  Schedule(List<Traffic> traffic, long endNanos, long seed) {
    this.random = new SplittableRandom(seed);
    this.traffic = List.copyOf(traffic);
    this.endNanos = endNanos;
    this.dueNanos = new long[traffic.size()];
    this.left = new int[traffic.size()];
    for (int i = 0; i < left.length; i++) {
      switch (traffic.get(i).pace()) {
        case Pace.Open open -> dueNanos[i] = gapNanos(open);
        case Pace.AtOnce(int logins) -> left[i] = logins;
        case Pace.Closed _ -> dueNanos[i] = NEVER;
      }
      if (traffic.get(i).pace() instanceof Pace.AtOnce && left[i] == 0) {
        dueNanos[i] = NEVER;
      }
    }
  }

  /** Of the next login, from the start; {@link #NEVER} if none comes any more. */
  long nextNanos() {
    long next = Arrays.stream(dueNanos).min().orElse(NEVER);
    return next < endNanos ? next : NEVER;
  }

  /** Takes the next login, and says of which traffic it is. */
  int take() {
    int which = 0;
    for (int i = 1; i < dueNanos.length; i++) {
      if (dueNanos[i] < dueNanos[which]) {
        which = i;
      }
    }
    switch (traffic.get(which).pace()) {
      case Pace.Open open -> dueNanos[which] += gapNanos(open);
      case Pace.AtOnce _ -> dueNanos[which] = --left[which] == 0 ? NEVER : 0;
      case Pace.Closed _ -> throw new IllegalStateException("nothing is due");
    }
    return which;
  }

  /** Exponential gaps make a Poisson process. */
  private long gapNanos(Pace.Open open) {
    return Math.max(1, Math.round(-Math.log(1 - random.nextDouble()) * 1e9 / open.perSecond()));
  }
}
