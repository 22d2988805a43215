package dev.spillway.auth.throttle;

import dev.spillway.auth.database.DatabaseUnavailable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The lines somebody is in. */
final class Lines {
  private final Map<String, Line> byKey = new ConcurrentHashMap<>();

  /** The line of this key, which stays until as many have left it as have joined. */
  Line join(String key, Function<String, Line> absent) {
    return byKey.compute(
        key,
        (same, line) -> {
          Line joined = line == null ? absent.apply(key) : line;
          joined.members++;
          return joined;
        });
  }

  void leave(Line line) {
    Line remaining = byKey.compute(line.key(), (key, same) -> --line.members == 0 ? null : line);
    if (remaining == null) {
      try {
        line.close();
      } catch (DatabaseUnavailable e) {
        // What was reserved is void at the end of the window.
      }
    }
  }

  /** For tests: nobody is anywhere. */
  boolean isEmpty() {
    return byKey.isEmpty();
  }
}
