package dev.spillway.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.HashCount;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.NoAudit;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.spend.SpendCeiling;
import dev.spillway.auth.throttle.NoThrottle;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passwords over 72 bytes, whose hashes another system may have made of the first 72. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class LongLegacyPasswordTest {
  private static final String STORED = "a".repeat(72);
  private static final String LONGER = STORED + "Z";
  private static final String OTHER = "a".repeat(71) + "bZ";

  @Inject Hashing hashing;
  @Inject UserDirectory users;
  @Inject LoginMeters loginMeters;
  @Inject SpendCeiling ceiling;
  @Inject MeterRegistry meters;

  private HashCount hashes;

  @BeforeEach
  void users() {
    await().until(() -> RestAssured.get("/q/health/ready").statusCode() == 200);
    user("imported-long", true, false);
    user("own-long", false, false);
    user("disabled-long", true, true);
    hashes = new HashCount(meters);
  }

  @Test
  void off_isDeniedWithoutAHash() {
    assertDenied(attempt(false, "imported-long", LONGER));
    assertDenied(attempt(false, "nobody", LONGER));
    assertThat(hashes.asked()).isZero();
    assertGranted(attempt(false, "imported-long", STORED));
  }

  @Test
  void on_importedHashIsHeldAgainstTheFirst72Bytes() {
    assertGranted(attempt(true, "imported-long", LONGER));
    assertGranted(attempt(true, "imported-long", STORED + "\u00e9 and more"));
    assertGranted(attempt(true, "imported-long", STORED));
    assertDenied(attempt(true, "imported-long", OTHER));
  }

  /** A hash of our own never came of more than 72 bytes, so nothing longer is its password. */
  @Test
  void on_everybodyElseIsDeniedForOneHash() {
    assertDenied(attempt(true, "own-long", LONGER));
    assertDenied(attempt(true, "disabled-long", LONGER));
    assertDenied(attempt(true, "nobody", LONGER));
    assertThat(hashes.asked()).isEqualTo(3);
  }

  @Test
  void on_nulIsStillDeniedWithoutAHash() {
    assertDenied(attempt(true, "imported-long", STORED + "\u0000"));
    assertDenied(attempt(true, "imported-long", "\u0000" + STORED));
    assertThat(hashes.asked()).isZero();
  }

  @Test
  void password_isLeftForItsOwnerToWipe() {
    byte[] password = LONGER.getBytes(StandardCharsets.UTF_8);
    login(true)
        .attempt(
            Action.LOGIN,
            "imported-long",
            password,
            NoThrottle.SOMEWHERE,
            Deadline.in(Duration.ofSeconds(30)),
            user -> null);
    assertThat(new String(password, StandardCharsets.UTF_8)).isEqualTo(LONGER);
  }

  private LoginOutcome<?> attempt(boolean truncate, String login, String password) {
    return login(truncate)
        .attempt(
            Action.LOGIN,
            login,
            password.getBytes(StandardCharsets.UTF_8),
            NoThrottle.SOMEWHERE,
            Deadline.in(Duration.ofSeconds(30)),
            user -> null);
  }

  private Login login(boolean truncate) {
    Config config = new Config(truncate);
    return new Login(
        users,
        hashing,
        config,
        loginMeters,
        new Decoys(users, config, meters),
        NoThrottle.throttle(),
        NoAudit.log(),
        new Rehash(users, hashing, config, meters),
        ceiling);
  }

  private void user(String login, boolean legacy, boolean disabled) {
    users.create(
        new NewUser(new LoginName(login), TestHash.of(STORED), legacy, disabled, Set.of()));
  }

  private static void assertGranted(LoginOutcome<?> outcome) {
    assertThat(outcome).isInstanceOf(LoginOutcome.Granted.class);
  }

  private static void assertDenied(LoginOutcome<?> outcome) {
    assertThat(outcome).isInstanceOf(LoginOutcome.Denied.class);
  }

  private record Config(boolean truncateForLegacy) implements HashingConfig {
    @Override
    public int cost() {
      return LocalOnly.COST;
    }

    @Override
    public int maxCost() {
      return LocalOnly.MAX_COST;
    }

    @Override
    public boolean rehash() {
      return true;
    }

    @Override
    public Duration deadline() {
      return Duration.ofSeconds(30);
    }
  }
}
