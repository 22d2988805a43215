package dev.spillway.hashing.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.hashing.BusyPool;
import dev.spillway.hashing.PooledBcrypt;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder.BCryptVersion;

/** Where it computes at all, it answers as Spring's own encoder does. */
@Timeout(60)
class SpillwayPasswordEncoderTest {
  private static final BCryptPasswordEncoder SPRINGS = new BCryptPasswordEncoder(4);

  private final PooledBcrypt bcrypt =
      PooledBcrypt.builder().threads(1).lanes(2).cost(4).maxWait(Duration.ofMillis(100)).build();
  private final SpillwayPasswordEncoder encoder = new SpillwayPasswordEncoder(bcrypt);

  @AfterEach
  void close() {
    bcrypt.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "secret", "pässwörd", "\uD83D\uDD11", "with\u0000nul"})
  void hashes_areSprings(String password) {
    assertThat(SPRINGS.matches(password, encoder.encode(password))).isTrue();
    assertThat(encoder.matches(password, SPRINGS.encode(password))).isTrue();
    assertThat(encoder.matches(password + "x", SPRINGS.encode(password))).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void everyVersion_isVerified(BCryptVersion version) {
    String stored = new BCryptPasswordEncoder(version, 4).encode("secret");
    assertThat(encoder.matches("secret", stored)).isTrue();
    assertThat(encoder.matches("other", stored)).isFalse();
  }

  @Test
  void longPassword_isVerifiedAsSpringDoes_andNotHashed() {
    String stored = SPRINGS.encode("x".repeat(72));
    for (String longer : new String[] {"x".repeat(72), "x".repeat(73), "x".repeat(200)}) {
      assertThat(encoder.matches(longer, stored)).isEqualTo(SPRINGS.matches(longer, stored));
    }
    assertThat(encoder.encode("x".repeat(72))).startsWith("$2b$04$");
    assertThatThrownBy(() -> encoder.encode("x".repeat(73)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "secret",
        "{bcrypt}$2b$04$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
        "$2x$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy",
        "$2b$31$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy"
      })
  void whatIsNoHash_matchesNothing(String stored) {
    assertThat(encoder.matches("secret", stored)).isFalse();
  }

  @Test
  void noPassword_matchesNothing() {
    assertThat(encoder.matches(null, SPRINGS.encode("secret"))).isFalse();
    assertThat(encoder.matches("", SPRINGS.encode("secret"))).isFalse();
    assertThat(encoder.encode(null)).isNull();
  }

  @Test
  void betterHash_isWorthMaking() {
    assertThat(encoder.upgradeEncoding(SPRINGS.encode("secret"))).as("$2a$").isTrue();
    assertThat(encoder.upgradeEncoding(encoder.encode("secret"))).isFalse();
    assertThat(encoder.upgradeEncoding(null)).isFalse();
  }

  @Test
  void overload_isNoWrongPassword() {
    String stored = SPRINGS.encode("secret");
    try (BusyPool busy = new BusyPool(bcrypt)) {
      assertThatThrownBy(() -> encoder.matches("secret", stored))
          .isInstanceOfSatisfying(
              HashingOverloadException.class,
              overload -> {
                assertThat(overload.retryAfter()).isPositive();
                assertThat(overload.retryAfter().toNanosPart()).isZero();
              });
      assertThatThrownBy(() -> encoder.encode("secret"))
          .isInstanceOf(HashingOverloadException.class);
    }
    assertThat(encoder.matches("secret", stored)).isTrue();
  }
}
