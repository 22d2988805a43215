package dev.spillway.console.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.tuple;

import dev.spillway.console.metrics.Recorded;
import dev.spillway.console.metrics.Scrape;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Figures from recorded scrapes; the expected ones were counted by hand. */
class HistoryTest {
  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
  private final History history = new History();

  @Test
  void firstScrape_hasNothingToBeComparedWith() {
    assertThat(history.add(START, Recorded.scrape("before"))).isEmpty();
  }

  @Test
  void twoScrapes_makeAState() {
    ServiceState state = burst(Duration.ofSeconds(1));

    assertThat(state.pool())
        .isEqualTo(
            new ServiceState.Pool(
                8, 8, 2, 3, Duration.ofNanos(21_995_342), state.pool().hash(), 8));
    assertThat(state.hashes())
        .containsEntry("local", new Rate(13, 189))
        .containsEntry("spilled", new Rate(6, 82))
        .containsEntry("shed", new Rate(0, 62));
    assertThat(state.logins())
        .containsEntry("granted", new Rate(17, 242))
        .containsEntry("denied", new Rate(1, 27))
        .containsEntry("failed", new Rate(0, 0));
    assertThat(state.loginsPerSecond()).isEqualTo(18);
    assertThat(state.latency().count()).isEqualTo(18);
    assertThat(state.spill().average()).isEqualTo(4);
    assertThat(state.spill().variance()).isCloseTo(32 / 3.0, offset(1e-6));
    assertThat(state.spill().pending()).isEqualTo(12);
    assertThat(state.spill().targets())
        .extracting(Target::name, Target::pending, Target::bound, Target::condition)
        .containsExactly(
            tuple("gone", 0, 50, Target.Condition.COOLING),
            tuple("main", 8, 8, Target.Condition.FULL),
            tuple("second", 4, 4, Target.Condition.FULL));
  }

  @Test
  void rates_areOfTheTimeBetween() {
    assertThat(burst(Duration.ofMillis(500)).hashes().get("local").perSecond()).isEqualTo(26);
  }

  /** Five logins since the new start, which was not an interval ago. */
  @Test
  void restartInBetween_countsFromZeroAndFromTheStart() {
    burst(Duration.ofSeconds(1));

    Scrape restarted = Recorded.scrape("restarted");
    ServiceState state = history.add(START.plusSeconds(600), restarted).orElseThrow();

    assertThat(state.logins().get("granted").total()).isEqualTo(5);
    assertThat(state.logins().get("granted").perSecond())
        .isCloseTo(5 / restarted.value("process_uptime_seconds").orElseThrow(), offset(1e-6));
    assertThat(state.latency().count()).isEqualTo(5);
    assertThat(state.window()).isEqualTo(state.up());
  }

  @Test
  void throttledLogins_areOneKind() {
    String counts =
        "spillway_login_total{outcome=\"throttled_by_account\"} %d\n"
            + "spillway_login_total{outcome=\"throttled_by_address\"} %d\n";
    history.add(START, Scrape.parse(counts.formatted(1, 2)));
    ServiceState state =
        history.add(START.plusSeconds(1), Scrape.parse(counts.formatted(3, 7))).orElseThrow();
    assertThat(state.logins()).containsEntry("throttled", new Rate(7, 10));
    assertThat(state.loginsPerSecond()).isEqualTo(7);
  }

  @Test
  void percentiles_areOfTheLastMinute() {
    String bucket =
        "spillway_pool_size 1\nprocess_start_time_seconds 1\n"
            + "http_server_requests_seconds_bucket{uri=\"/login\",status=\"200\",le=\"1\"} %d\n"
            + "http_server_requests_seconds_bucket{uri=\"/login\",status=\"200\",le=\"+Inf\"} %d\n";
    for (int second = 0; second <= 90; second++) {
      int counted = second * 10;
      var state =
          history.add(START.plusSeconds(second), Scrape.parse(bucket.formatted(counted, counted)));
      if (second == 20) {
        assertThat(state.orElseThrow().latency().count()).isEqualTo(200);
        assertThat(state.orElseThrow().window()).isEqualTo(Duration.ofSeconds(20));
      }
      if (second == 90) {
        assertThat(state.orElseThrow().latency().count()).isEqualTo(600);
        assertThat(state.orElseThrow().window()).isEqualTo(History.WINDOW);
      }
    }
  }

  private ServiceState burst(Duration apart) {
    history.add(START, Recorded.scrape("before"));
    return history.add(START.plus(apart), Recorded.scrape("burst")).orElseThrow();
  }
}
