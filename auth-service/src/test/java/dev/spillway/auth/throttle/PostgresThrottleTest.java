package dev.spillway.auth.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.LockedRows;
import dev.spillway.auth.database.TestDatabase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgresThrottleTest extends ThrottleContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }

  /** T1. The first guess for a long time is counted while the sweep is about to delete the row. */
  @Test
  void tallyThatBeginsAgainWhileOldOnesAreSwept_stays() throws Exception {
    InstantSource clock = InstantSource.system();
    Tallies tallies = new Tallies(new Database(dataSource()), clock, Duration.ofMinutes(10));
    tallies.fail(List.of(new Tallies.Failure("key", null, Tallies.NO_WINDOW)));
    try (LockedRows old =
        LockedRows.by(dataSource(), "UPDATE login_tallies SET window_ends = 1, expires_at = 1")) {
      old.commit();
    }
    long ends = clock.millis() + 600_000;
    try (LockedRows guess =
        LockedRows.by(
            dataSource(),
            "UPDATE login_tallies SET failures = 1, window_ends = %d, expires_at = %d"
                .formatted(ends, ends))) {
      FutureTask<Integer> swept = new FutureTask<>(() -> tallies.sweep(10));
      Thread.ofVirtual().start(swept);
      guess.awaitWaiter();
      guess.commit();

      assertThat(swept.get()).isZero();
    }
    assertThat(tallies.read(List.of("key")).get("key").failures(clock.millis())).isEqualTo(1);
  }
}
