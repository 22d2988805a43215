package dev.spillway.auth.login;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.audit.NoAudit;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.throttle.NoThrottle;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code ./spillway watch} and an operator's dashboard are made of. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class LoginMetersTest {
  @Inject UserDirectory users;
  @Inject HashPool pool;
  @Inject HashingConfig config;

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    users.create(new NewUser(new LoginName("meg"), TestHash.of("right"), true, false, Set.of()));
  }

  @Test
  void loginsHaveBuckets_andNothingElseHas() {
    assertThat(login("meg", "right").statusCode()).isEqualTo(200);

    // The meter is told after the client.
    await()
        .untilAsserted(
            () ->
                assertThat(metrics("http_server_requests_seconds_bucket"))
                    .anyMatch(
                        line -> line.contains("status=\"200\"") && line.contains("le=\"5.0\""))
                    .allMatch(line -> line.contains("uri=\"/login\"")));
  }

  @Test
  void pool_saysWhatItIsMadeOf() {
    assertThat(value("spillway_pool_threads")).isEqualTo(pool.threads());
    assertThat(value("spillway_pool_size")).isEqualTo(pool.threads() * pool.engine().lanes());
    assertThat(value("spillway_hashing_cost")).isEqualTo(config.cost());
    assertThat(value("spillway_hashing_wait_estimate_seconds")).isNotNegative();
  }

  @Test
  void attemptThatEndsInAnException_isCountedAsFailed() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    UserDirectory broken =
        (UserDirectory)
            Proxy.newProxyInstance(
                UserDirectory.class.getClassLoader(),
                new Class<?>[] {UserDirectory.class},
                (self, method, arguments) -> {
                  throw new IllegalStateException("on purpose");
                });
    Login login =
        new Login(
            broken,
            null,
            config,
            new LoginMeters(meters),
            null,
            NoThrottle.throttle(),
            NoAudit.log(),
            null,
            null);

    assertThatThrownBy(
            () ->
                login.attempt(
                    Action.LOGIN,
                    "meg",
                    new byte[] {'p'},
                    NoThrottle.SOMEWHERE,
                    Deadline.in(Duration.ofSeconds(5)),
                    user -> null))
        .isInstanceOf(IllegalStateException.class);

    assertThat(meters.get("spillway.login").tag("outcome", "failed").counter().count())
        .isEqualTo(1);
  }

  private static double value(String name) {
    List<String> lines = metrics(name);
    assertThat(lines).as(name).hasSize(1);
    return Double.parseDouble(lines.getFirst().substring(lines.getFirst().lastIndexOf(' ') + 1));
  }

  private static List<String> metrics(String name) {
    return given().get("/q/metrics").asString().lines().filter(l -> l.startsWith(name)).toList();
  }
}
