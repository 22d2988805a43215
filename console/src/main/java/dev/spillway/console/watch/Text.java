package dev.spillway.console.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Numbers as people read them. */
final class Text {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  private Text() {}

  static String clock(Instant at, ZoneId zone) {
    return CLOCK.format(at.atZone(zone));
  }

  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 99.95 ? "%.1f" : "%.0f", perSecond);
  }

  /** With as many digits as one reads: {@code 4.2 ms}, {@code 310 ms}, {@code 1.9 s}. */
  static String duration(Duration duration) {
    double millis = duration.toNanos() / 1e6;
    if (millis >= 999.5) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
    return String.format(Locale.ROOT, millis < 9.95 && millis > 0 ? "%.1f ms" : "%.0f ms", millis);
  }

  static String duration(Optional<Duration> duration) {
    return duration.map(Text::duration).orElse("-");
  }

  /** The two largest units: {@code 3 d 4 h}, {@code 1 min 12 s}. */
  static String age(Duration age) {
    if (age.toDays() > 0) {
      return age.toDays() + " d " + age.toHoursPart() + " h";
    }
    if (age.toHours() > 0) {
      return age.toHours() + " h " + age.toMinutesPart() + " min";
    }
    return age.toMinutes() > 0
        ? age.toMinutes() + " min " + age.toSecondsPart() + " s"
        : age.toSeconds() + " s";
  }
}
