package dev.spillway.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.core.bcrypt.ParsedHash;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An unknown login must not be told from a known one by what its hash costs. */
class DecoysTest {
  private static final Map<String, Long> USERS =
      Map.of("$2b$12$", 6_000L, "$2y$10$", 2_000L, "$2a$10$", 1_000L, "$2x$10$", 500L, "", 500L);

  private final HashingConfig config = new Config();

  @Test
  void decoys_costWhatTheUsersHashesCost_inTheSameProportion() {
    CountDownLatch firstDecoyTaken = new CountDownLatch(1);
    Decoys decoys =
        new Decoys(
            () -> {
              hold(firstDecoyTaken);
              return USERS;
            },
            config);
    assertThat(decoys.forLogin("anybody").setting().cost())
        .as("before the first count, which this sets going")
        .isEqualTo(12);
    firstDecoyTaken.countDown();
    await()
        .untilAsserted(
            () -> {
              assertThat(share(decoys, 10)).isCloseTo(3 / 9.0, within(0.05));
              assertThat(share(decoys, 12)).isCloseTo(6 / 9.0, within(0.05));
            });
  }

  @Test
  void oneLogin_isHeldAgainstTheSameDecoyEachTime() {
    Decoys decoys = new Decoys(() -> USERS, config);
    decoys.count();
    assertThat(decoys.forLogin("nobody")).isSameAs(decoys.forLogin("nobody"));
    assertThat(ParsedHash.of(decoys.forLogin("nobody").encoded(), 15))
        .isInstanceOf(ParsedHash.Valid.class);
  }

  @Test
  void withoutUsers_orWithoutAnAnswer_theConfiguredCostStays() {
    Decoys none = new Decoys(Map::of, config);
    none.count();
    assertThat(share(none, 12)).isEqualTo(1);
    Decoys broken =
        new Decoys(
            () -> {
              throw new IllegalStateException("database down");
            },
            config);
    broken.count();
    assertThat(share(broken, 12)).isEqualTo(1);
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** By chance it is off by 0.05, ten standard deviations, once in 10^25. */
  private static double share(Decoys decoys, int cost) {
    return IntStream.range(0, 10_000)
            .filter(i -> decoys.forLogin("nobody-" + i).setting().cost() == cost)
            .count()
        / 10_000.0;
  }

  private record Config() implements HashingConfig {
    @Override
    public int cost() {
      return 12;
    }

    @Override
    public int maxCost() {
      return 15;
    }

    @Override
    public boolean rehash() {
      return true;
    }

    @Override
    public Duration deadline() {
      return Duration.ofSeconds(5);
    }

    @Override
    public boolean truncateForLegacy() {
      return false;
    }
  }
}
