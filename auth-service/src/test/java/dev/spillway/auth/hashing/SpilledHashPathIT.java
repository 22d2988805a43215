package dev.spillway.auth.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.Spending;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.spill.Spill;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract on the spilled path: a pool that refuses everybody, and the function's package. */
@QuarkusTest
@QuarkusTestResource(value = LocalLambdaResource.class, restrictToAnnotatedClass = true)
class SpilledHashPathIT extends HashPathContract {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Inject Spill spill;

  @Override
  Hashing hashing() {
    HashPool closed =
        new HashPool(
            new SpringDigestEngine(), 1, 4, false, () -> {}, MicrometerMeters.pool(meters));
    closed.close();
    return new Hashing(
        closed,
        spill,
        Spending.UNLIMITED,
        Duration.ofMillis(1),
        Duration.ofSeconds(1),
        4,
        MicrometerMeters.hashing(meters));
  }

  @Override
  HashAnswer.Path path() {
    return HashAnswer.Path.SPILLED;
  }

  @Override
  int guesses() {
    return 500;
  }

  @AfterEach
  void nothingOutstanding() {
    assertThat(spill.outstanding()).isZero();
  }

  @Test
  void theFunction_isAProcessOfItsOwn() {
    newHash_isOfTheConfiguredCost_andMatchesItsPasswordOnly();
    assertThat(LocalLambdaResource.environmentsStarted()).isPositive();
  }
}
