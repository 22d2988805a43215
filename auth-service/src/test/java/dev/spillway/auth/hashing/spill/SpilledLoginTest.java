package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.Spilling;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Logins while the pool is full and there is a function: answered as if nothing were the matter.
 */
@QuarkusTest
@TestProfile(Spilling.class)
class SpilledLoginTest {
  private static FakeFunction function;

  private static final Duration LONG = Duration.ofSeconds(20);

  @Inject Spill spill;
  @Inject HashPool pool;
  @Inject UserDirectory users;

  @BeforeAll
  static void start() {
    function = FakeFunction.start();
  }

  @AfterAll
  static void stop() {
    function.close();
  }

  @BeforeEach
  void user() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    users.create(new NewUser(new LoginName("ann"), TestHash.of("right"), true, false, Set.of()));
    function.computes();
    // What an earlier test made it fail at may be held against it for a moment.
    await()
        .until(
            () ->
                spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(LONG))
                    instanceof SpillAnswer.Computed);
    function.forget();
  }

  @Test
  void fullPool_spills() {
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("ann", "right").statusCode()).isEqualTo(200);
      assertThat(login("ann", "wrong").statusCode()).isEqualTo(401);
      assertThat(login("nobody", "right").statusCode()).isEqualTo(401);
    }
    assertThat(function.requests()).as("unknown logins too").hasSize(3);
  }

  @Test
  void spilledLogins_areAuditedAsSuch() {
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("ann", "right").statusCode()).isEqualTo(200);
      assertThat(login("ann", "wrong").statusCode()).isEqualTo(401);
    }
    var admin = Api.as("admin", LocalOnly.ADMIN_PASSWORD);
    await()
        .untilAsserted(
            () ->
                assertThat(
                        admin
                            .get("/audit?login=ann")
                            .jsonPath()
                            .getList("entries.findAll { it.path == 'spill' }.outcome"))
                    .contains("granted", "wrong_password"));
  }

  /** Overload and faults are never told as a wrong password. */
  @ParameterizedTest
  @EnumSource(
      value = Faults.class,
      names = {"THROTTLED", "FORBIDDEN", "FUNCTION_ERROR", "HTML", "RESET", "DECLINED"})
  void fullPoolAndNoDigest_is503(Faults fault) {
    fault.provoke(function);
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("ann", "right").statusCode()).isEqualTo(503);
      assertThat(login("ann", "wrong").statusCode()).isEqualTo(503);
      assertThat(login("nobody", "right").statusCode()).isEqualTo(503);
    }
  }
}
