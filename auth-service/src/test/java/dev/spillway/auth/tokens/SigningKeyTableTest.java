package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.Database;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SigningKeyTableTest {
  @TempDir Path directory;

  @Test
  void instancesStartingAtOnce_agreeOnOneKey() throws Exception {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:async:" + directory + "/./keys", "spillway", "");
    Flyway.configure().dataSource(pool).load().migrate();
    int instances = 6;
    CyclicBarrier start = new CyclicBarrier(instances);
    Set<SigningKey> keys = new HashSet<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var loading =
          IntStream.range(0, instances)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            start.await();
                            return new SigningKeyTable(new Database(pool))
                                .load(SigningAlgorithm.ES256);
                          }))
              .toList();
      for (var key : loading) {
        keys.add(key.get());
      }
    }

    assertThat(keys).hasSize(1);
    assertThat(new SigningKeyTable(new Database(pool)).load(SigningAlgorithm.ES256)).isIn(keys);
    pool.dispose();
  }
}
