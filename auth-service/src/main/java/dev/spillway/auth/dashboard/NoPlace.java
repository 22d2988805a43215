package dev.spillway.auth.dashboard;

import dev.spillway.auth.http.Unavailable;
import java.time.Duration;

/** As many look at the dashboard as may, or the service is about to end. */
final class NoPlace extends Unavailable {
  private static final long serialVersionUID = 1L;

  NoPlace() {
    super(
        "no-place",
        "No more viewers of the dashboard at this moment.",
        Duration.ofSeconds(5),
        null);
  }
}
