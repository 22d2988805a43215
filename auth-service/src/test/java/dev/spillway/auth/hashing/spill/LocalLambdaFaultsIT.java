package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.HeldPool;
import dev.spillway.auth.Spilling;
import dev.spillway.auth.hashing.FunctionPackage;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.locallambda.LocalLambda;
import dev.spillway.locallambda.LocalLambdaConfig;
import dev.spillway.locallambda.environment.FunctionReport;
import dev.spillway.locallambda.fault.Fault;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The table on local-lambda: the function's package, in processes that really die. */
@QuarkusTest
@TestProfile(LocalLambdaFaultsIT.ToTheFunction.class)
@Timeout(120)
class LocalLambdaFaultsIT extends FaultContract {
  private static final int CONCURRENCY = 4;

  /** The template's function, and no more calls than it has processes. */
  public static final class ToTheFunction extends Spilling {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      config.put("spillway.spill.targets.fake.function", "HashFunction");
      config.put("spillway.spill.targets.fake.max-outstanding", String.valueOf(CONCURRENCY));
      return config;
    }
  }

  private static LocalLambda lambda;

  @Override
  FaultyPeer start() throws IOException {
    lambda =
        LocalLambda.start(
            LocalLambdaConfig.of(Path.of("..", "template.yaml"))
                .parameter("Sealing", "no")
                .functionPackage(FunctionPackage.underTest())
                .port(Spilling.endpoint().getPort())
                .concurrency(CONCURRENCY)
                .build());
    return new Peer(lambda);
  }

  /** The real limit of 10 s: nobody waits for it, and who comes later finds a warm process. */
  @Test
  @EnabledIfSystemProperty(named = "slow.tests", matches = "true", disabledReason = "slow")
  void initOverItsLimit_isLate_andWarmAfterTheSecondAttempt() throws Exception {
    everyProcessIsDead();
    long started = report().started();
    lambda.inject(Fault.SLOW_INIT);

    double late = Metrics.calls("late");
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("ann", "right").statusCode()).isEqualTo(503);
    }
    assertThat(Metrics.calls("late")).isGreaterThan(late);
    await().atMost(Duration.ofSeconds(60)).until(() -> report().frozen() == 1);
    assertThat(report().started()).isEqualTo(started + 2);
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("ann", "right").statusCode()).as("with the fault still on").isEqualTo(200);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "slow.tests", matches = "true", disabledReason = "slow")
  void initThatNeverEnds_isLate_andLeavesNoProcess() throws Exception {
    everyProcessIsDead();
    long started = report().started();
    long errors = report().functionErrors();
    lambda.inject(Fault.NO_INIT);

    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(login("ann", "right").statusCode()).isEqualTo(503);
    }
    await().atMost(Duration.ofSeconds(60)).until(() -> report().functionErrors() == errors + 1);
    assertThat(report().started()).isEqualTo(started + 2);
    assertThat(report().live()).isZero();
  }

  private void everyProcessIsDead() throws Exception {
    lambda.inject(Fault.CRASH);
    try (HeldPool held = HeldPool.hold(pool)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                all(CONCURRENCY, () -> login("ann", "right"));
                return report().live() == 0;
              });
    }
  }

  private static FunctionReport report() {
    return lambda.report("HashFunction");
  }

  private record Peer(LocalLambda lambda) implements FaultyPeer {
    @Override
    public boolean inject(Fault fault) {
      lambda.inject(fault);
      return true;
    }

    @Override
    public void heal() {
      lambda.heal();
    }

    /** By digests that take a while: those sent at once meet one environment each. */
    @Override
    public void warm(int environments) {
      URI invoke = lambda.endpoint().resolve("/2015-03-31/functions/HashFunction/invocations");
      byte[] slow =
          WireFormat.write(
              new DigestRequest(
                  List.of(
                      new DigestRequest.Job(
                          "warm",
                          BcryptSetting.parse("$2b$12$CCCCCCCCCCCCCCCCCCCCC."),
                          new byte[] {'x'}))));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                all(environments, () -> given().body(slow).post(invoke));
                return report().frozen() >= environments;
              });
    }

    @Override
    public int capacity() {
      return CONCURRENCY;
    }

    @Override
    public void close() {
      lambda.close();
    }
  }
}
