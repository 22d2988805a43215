package dev.spillway.auth.hashing;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Spilling;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.hashing.spill.FakeFunction;
import dev.spillway.auth.hashing.spill.Faults;
import dev.spillway.auth.hashing.spill.SpillCalls;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.Spending;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.hashing.spill.Spill;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** Verdicts where the pool never admits: they are the function's digest held here, or none. */
@QuarkusTest
@TestProfile(Spilling.class)
@Timeout(60)
class SpillOnlyHashingTest {
  private static final BcryptHash STORED =
      ((ParsedHash.Valid) ParsedHash.of(TestHash.of("right"), 12)).hash();
  private static final Duration LONG = Duration.ofSeconds(20);

  private static FakeFunction function;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private Spill spill;
  private Hashing hashing;

  @BeforeAll
  static void start() {
    function = FakeFunction.start();
  }

  @AfterAll
  static void stop() {
    function.close();
  }

  @BeforeEach
  void closePool() {
    spill = SpillCalls.toFakeFunction();
    hashing = hashing(Spending.UNLIMITED);
    function.computes();
  }

  @Test
  void digestOfTheFunction_isComparedHere() {
    assertThat(verify("right")).isEqualTo(new HashAnswer.Computed<>(true, HashAnswer.Path.SPILLED));
    assertThat(verify("wrong"))
        .isEqualTo(new HashAnswer.Computed<>(false, HashAnswer.Path.SPILLED));
    assertThat(counted("spilled")).isEqualTo(2);
  }

  @Test
  void newHash_isMadeOfTheFunctionsDigest() {
    HashAnswer<BcryptHash> made =
        hashing.create("new".getBytes(StandardCharsets.UTF_8), Deadline.in(LONG));
    assertThat(made).isInstanceOf(HashAnswer.Computed.class);
    assertThat(BCrypt.checkpw("new", ((HashAnswer.Computed<BcryptHash>) made).value().encoded()))
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource(Faults.class)
  void fault_isNoVerdict(Faults fault) {
    fault.provoke(function);
    for (String password : new String[] {"right", "wrong"}) {
      assertThat(verify(password)).isInstanceOf(HashAnswer.Shed.class);
    }
    assertThat(hashing.create("new".getBytes(StandardCharsets.UTF_8), Deadline.in(LONG)))
        .isInstanceOf(HashAnswer.Shed.class);
    assertThat(spill.outstanding()).isZero();
    assertThat(counted("shed")).isEqualTo(3);
    assertThat(counted("spilled")).isZero();
  }

  /** A throttled target is full for a moment: what it is not asked for counts for nobody. */
  @Test
  void hashThatNoTargetTook_isGivenBack() {
    AtomicInteger notSpilled = new AtomicInteger();
    hashing = hashing(() -> Optional.of(notSpilled::incrementAndGet));
    Faults.THROTTLED.provoke(function);
    function.forget();
    int hashes = 0;
    while (notSpilled.get() == 0 && hashes++ < 100) {
      assertThat(verify("right")).isInstanceOf(HashAnswer.Shed.class);
    }
    assertThat(notSpilled).hasValue(1);
    assertThat(function.count()).as("the others were calls").isEqualTo(hashes - 1);
  }

  /** All a function can do is to keep somebody out. */
  @Test
  void digestOfAnotherJob_isAMismatchAtMost() {
    function.answersWithAnotherDigest();
    assertThat(verify("right"))
        .isEqualTo(new HashAnswer.Computed<>(false, HashAnswer.Path.SPILLED));
    assertThat(verify("wrong"))
        .isEqualTo(new HashAnswer.Computed<>(false, HashAnswer.Path.SPILLED));
  }

  @Test
  void abandoned_isGone() {
    Deadline deadline = Deadline.in(LONG);
    deadline.abandon();
    assertThat(hashing.verify(STORED, "right".getBytes(StandardCharsets.UTF_8), deadline))
        .isEqualTo(new HashAnswer.Gone<>(Optional.empty()));
    assertThat(counted("gone")).isEqualTo(1);
  }

  /** The whole service, its own pool in the way of nothing: the function is asked only if full. */
  @Test
  void freePool_doesNotSpill() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    function.forget();
    given()
        .contentType("application/json")
        .body("{\"login\":\"nobody\",\"password\":\"x\"}")
        .post("/login")
        .then()
        .statusCode(401);
    assertThat(function.count()).isZero();
  }

  private Hashing hashing(Spending spending) {
    HashPool pool =
        new HashPool(new SpringDigestEngine(), 1, 4, true, () -> {}, MicrometerMeters.pool(meters));
    pool.close();
    return new Hashing(
        pool,
        spill,
        spending,
        Duration.ofMillis(25),
        Duration.ofSeconds(1),
        4,
        MicrometerMeters.hashing(meters));
  }

  private HashAnswer<Boolean> verify(String password) {
    return hashing.verify(STORED, password.getBytes(StandardCharsets.UTF_8), Deadline.in(LONG));
  }

  private double counted(String path) {
    return meters.get("spillway.hashing").tag("path", path).counter().count();
  }
}
