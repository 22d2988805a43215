package dev.spillway.auth.throttle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Upkeep;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class SweepTest {
  @Test
  void sweepThatFails_isCounted() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    JdbcDataSource gone = new JdbcDataSource();
    gone.setURL("jdbc:h2:mem:none;IFEXISTS=TRUE");
    Tallies tallies =
        new Tallies(new Database(gone), InstantSource.system(), Duration.ofMinutes(1));
    new Sweep(tallies, new Upkeep("tallies", meters)).run();
    assertThat(meters.get("spillway.upkeep.failures").counter().count()).isEqualTo(1);
  }
}
