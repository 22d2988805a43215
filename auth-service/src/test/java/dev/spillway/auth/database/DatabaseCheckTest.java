package dev.spillway.auth.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.microprofile.health.HealthCheckResponse;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class DatabaseCheckTest {
  /** D4: everybody may ask for health. */
  @Test
  void databaseThatIsDown_isNotNamed() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    nowhere.setServerNames(new String[] {"localhost"});
    nowhere.setPortNumbers(new int[] {1});
    HealthCheckResponse answer = new DatabaseCheck(new Database(nowhere)).call();
    assertThat(answer.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
    assertThat(answer.getName()).isEqualTo("database");
    assertThat(answer.getData()).isEmpty();
  }

  @Test
  void databaseThatTakesChanges_isReady() {
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:", "spillway", "");
    assertThat(new DatabaseCheck(new Database(pool)).call().getStatus())
        .isEqualTo(HealthCheckResponse.Status.UP);
    pool.dispose();
  }
}
