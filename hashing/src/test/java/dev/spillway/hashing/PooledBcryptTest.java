package dev.spillway.hashing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.hashing.spill.wire.Transport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.crypto.bcrypt.BCrypt;

@Timeout(60)
class PooledBcryptTest {
  private static final byte[] RIGHT = "right".getBytes(StandardCharsets.UTF_8);
  private static final byte[] WRONG = "wrong".getBytes(StandardCharsets.UTF_8);
  private static final BcryptHash STORED = hash(BCrypt.hashpw("right", BCrypt.gensalt(4)));

  /** Several days on any machine. */
  private static final BcryptHash ENDLESS =
      hash("$2b$31$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy");

  @Test
  void rightPassword_matches_andAnotherDoesNot() {
    try (PooledBcrypt bcrypt = small().build()) {
      assertThat(bcrypt.verify(RIGHT, STORED)).isEqualTo(local(true));
      assertThat(bcrypt.verify(WRONG, STORED)).isEqualTo(local(false));
    }
  }

  @Test
  void newHash_isBcryptOfTheCost() {
    try (PooledBcrypt bcrypt = small().build()) {
      BcryptHash made = ((HashAnswer.Computed<BcryptHash>) bcrypt.create(RIGHT)).value();
      assertThat(made.encoded()).startsWith("$2b$04$");
      assertThat(BCrypt.checkpw("right", made.encoded())).isTrue();
    }
  }

  @Test
  void stages_completeWithTheSame() throws Exception {
    try (PooledBcrypt bcrypt = small().build()) {
      assertThat(bcrypt.verifyAsync(RIGHT, STORED).toCompletableFuture().get())
          .isEqualTo(local(true));
      BcryptHash made =
          ((HashAnswer.Computed<BcryptHash>) bcrypt.createAsync(RIGHT).toCompletableFuture().get())
              .value();
      assertThat(BCrypt.checkpw("right", made.encoded())).isTrue();
    }
  }

  @Test
  void cancelledStage_givesItsPermitBack() {
    try (PooledBcrypt bcrypt = small().maxCost(31).build()) {
      CompletableFuture<?> stage = bcrypt.verifyAsync(RIGHT, ENDLESS).toCompletableFuture();
      await().until(() -> bcrypt.pool().free() < bcrypt.pool().size());
      stage.cancel(true);
      await().until(() -> bcrypt.pool().free() == bcrypt.pool().size());
    }
  }

  @Test
  void fullPool_withNowhereToSpill_shedsAndSaysWhenToComeBack() {
    try (PooledBcrypt bcrypt = small().maxWait(Duration.ofMillis(30)).build();
        BusyPool busy = new BusyPool(bcrypt)) {
      assertThat(bcrypt.verify(RIGHT, STORED)).isInstanceOf(HashAnswer.Shed.class);
      assertThat(bcrypt.create(RIGHT)).isInstanceOf(HashAnswer.Shed.class);
    }
  }

  @Test
  void fullPool_spills() {
    NearFunction function = new NearFunction();
    try (PooledBcrypt bcrypt = small().transport(Map.of("near", 4), function).build();
        BusyPool busy = new BusyPool(bcrypt)) {
      assertThat(bcrypt.verify(RIGHT, STORED))
          .isEqualTo(new HashAnswer.Computed<>(true, HashAnswer.Path.SPILLED));
      assertThat(bcrypt.verify(WRONG, STORED))
          .isEqualTo(new HashAnswer.Computed<>(false, HashAnswer.Path.SPILLED));
    }
    assertThat(function.closed).isTrue();
  }

  @Test
  void transportThatFails_isNoVerdict() {
    Transport broken =
        (target, request, patience) -> CompletableFuture.failedFuture(new IOException("cut"));
    try (PooledBcrypt bcrypt =
            small()
                .maxWait(Duration.ofMillis(30))
                .transport(Map.of("one", 4, "two", 4), broken)
                .build();
        BusyPool busy = new BusyPool(bcrypt)) {
      assertThat(bcrypt.verify(RIGHT, STORED)).isInstanceOf(HashAnswer.Shed.class);
      assertThat(bcrypt.spill().outstanding()).isZero();
    }
  }

  @Test
  void warmPool_knowsItsRate() throws Exception {
    try (PooledBcrypt bcrypt = small().build()) {
      assertThat(bcrypt.pool().perSecond()).isZero();
      bcrypt.warmUp();
      assertThat(bcrypt.pool().perSecond()).isPositive();
    }
  }

  @Test
  void closed_refuses() {
    PooledBcrypt bcrypt = small().build();
    bcrypt.close();
    assertThat(bcrypt.verify(RIGHT, STORED)).isInstanceOf(HashAnswer.Shed.class);
  }

  static Stream<Consumer<PooledBcryptBuilder>> misfits() {
    return Stream.of(
        builder -> builder.enqueueTimeout(Duration.ZERO),
        builder -> builder.enqueueTimeout(Duration.ofSeconds(11)),
        builder -> builder.enqueueTimeout(Duration.ofSeconds(2)),
        builder -> builder.deadline(Duration.ofSeconds(1)),
        builder -> builder.cost(3),
        builder -> builder.cost(16),
        builder -> builder.maxCost(32),
        builder -> builder.threads(0),
        builder -> builder.lanes(6),
        builder -> builder.transport(Map.of("none", 0), new NearFunction()));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void settingsThatCannotWork_areRefused(Consumer<PooledBcryptBuilder> misfit) {
    PooledBcryptBuilder builder = PooledBcrypt.builder();
    misfit.accept(builder);
    assertThatThrownBy(builder::build).isInstanceOf(IllegalArgumentException.class);
  }

  private static PooledBcryptBuilder small() {
    return PooledBcrypt.builder().threads(1).lanes(2).cost(4);
  }

  private static HashAnswer<Boolean> local(boolean matches) {
    return new HashAnswer.Computed<>(matches, HashAnswer.Path.LOCAL);
  }

  private static BcryptHash hash(String encoded) {
    return ((ParsedHash.Valid) ParsedHash.of(encoded, 31)).hash();
  }
}
