package dev.spillway.auth.throttle;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Guesses that were spilled and that nobody waited for. They are no wrong guesses and lock nobody
 * out, but they were paid for: whoever hangs up each time must not spill for ever. This instance's
 * memory only; a window later they are forgotten.
 */
final class Unanswered {
  /** Networks remembered before those whose window is over are looked for. */
  private static final int MANY = 10_000;

  private record Count(int guesses, long windowEnds) {}

  private final Map<String, Count> byNetwork = new ConcurrentHashMap<>();
  private final Duration window;
  private final InstantSource clock;

  Unanswered(Duration window, InstantSource clock) {
    this.window = window;
    this.clock = clock;
  }

  void add(String network) {
    long now = clock.millis();
    if (byNetwork.size() >= MANY) {
      byNetwork.values().removeIf(count -> count.windowEnds() <= now);
    }
    byNetwork.merge(
        network,
        new Count(1, now + window.toMillis()),
        (old, first) ->
            old.windowEnds() > now ? new Count(old.guesses() + 1, old.windowEnds()) : first);
  }

  int of(String network) {
    Count count = byNetwork.get(network);
    return count != null && count.windowEnds() > clock.millis() ? count.guesses() : 0;
  }
}
