package dev.spillway.auth.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.LockedRows;
import dev.spillway.auth.database.TestDatabase;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class PostgresSessionTableTest extends SessionTableContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  @Override
  DataSource dataSource() {
    return DATABASE.source();
  }

  /** S1. The refresh began in time; when it was done the session would have run out. */
  @Test
  void sessionThatIsRefreshedWhileExpiredOnesAreDeleted_goesOn() throws Exception {
    RefreshSecret first = begin();
    pass(IDLE.plusSeconds(1));
    try (LockedRows refresh =
        LockedRows.by(
            dataSource(),
            "UPDATE sessions SET expires_at = CURRENT_TIMESTAMP + INTERVAL '1' HOUR")) {
      FutureTask<Integer> deleted = new FutureTask<>(() -> table.deleteExpired(10));
      Thread.ofVirtual().start(deleted);
      refresh.awaitWaiter();
      refresh.commit();

      assertThat(deleted.get()).isZero();
    }
    taken(first);
  }
}
