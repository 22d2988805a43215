package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.Spilling;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.seal.SealKeys;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passwords sealed on their way, and what a function that cannot or will not open them costs. */
@QuarkusTest
@TestProfile(Spilling.class)
class SealedSpillTest {
  private static final String A = "{\"a\":\"%s\"}".formatted("0f".repeat(32));
  private static final String A_AND_B =
      "{\"a\":\"%s\",\"b\":\"%s\"}".formatted("0f".repeat(32), "a1".repeat(32));
  private static final String OTHER_A = "{\"a\":\"%s\"}".formatted("77".repeat(32));
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final SpillAnswer RIGHT =
      new SpillAnswer.Computed(
          new SpringDigestEngine().digest(SpillCalls.SETTING, SpillCalls.PASSWORD));
  private static final SpillAnswer REFUSED =
      new SpillAnswer.NoDigest(SpillAnswer.Reason.SEAL_REFUSED);

  private static FakeFunction function;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @BeforeAll
  static void start() {
    function = FakeFunction.start();
  }

  @AfterAll
  static void stop() {
    function.close();
  }

  @BeforeEach
  void required() {
    function.forget();
    function.computes(opener(A, InstantSource.system()));
  }

  @AfterEach
  void open() {
    function.computes(Opener.none());
  }

  @Test
  void sealedPassword_isComputed_andNoTraceOfItTravels() {
    assertThat(call(A, "a")).isEqualTo(RIGHT);

    LoggedRequest request = function.requests().getFirst();
    assertThat(request.getBodyAsString()).contains("\"key\":\"a\"").doesNotContain("password");
    assertThat(request.getBodyAsString())
        .doesNotContain(Base64.getEncoder().encodeToString(SpillCalls.PASSWORD));
    assertThat(request.getBody()).hasSizeLessThan(300);
  }

  /** Rotation: the function has both, then the service uses the new one, then the old one goes. */
  @Test
  void keysAreRotated_withoutOneRefusal() {
    assertThat(call(A, "a")).isEqualTo(RIGHT);
    function.computes(opener(A_AND_B, InstantSource.system()));
    assertThat(call(A, "a")).isEqualTo(RIGHT);
    assertThat(call(A_AND_B, "b")).isEqualTo(RIGHT);
    function.computes(opener(A_AND_B.replace("\"a\"", "\"old\""), InstantSource.system()));
    assertThat(call(A_AND_B, "b")).isEqualTo(RIGHT);
  }

  @Test
  void anotherKey_ofThisNameOrAnother_isRefused_andAnOperatorIsTold() {
    assertThat(call(OTHER_A, "a")).isEqualTo(REFUSED);
    assertThat(call(A_AND_B, "b")).isEqualTo(REFUSED);
    assertThat(misconfigured()).isEqualTo(1);
  }

  @Test
  void passwordInClear_isRefused_whereSealingIsRequired() {
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      assertThat(
              spill(SpillCalls.Seals.NONE).digest(SpillCalls.SETTING, SpillCalls.PASSWORD, soon()))
          .isEqualTo(REFUSED);
      assertThat(log.lines())
          .anyMatch(line -> line.contains("keys or clocks differ"))
          .noneMatch(line -> line.contains("s3cret"));
    }
  }

  @Test
  void clocksThatDiffer_areRefusedLikewise() {
    function.computes(
        opener(A, InstantSource.offset(InstantSource.system(), MINUTE.plusSeconds(5))));
    assertThat(call(A, "a")).isEqualTo(REFUSED);
    function.computes(
        opener(A, InstantSource.offset(InstantSource.system(), MINUTE.negated().minusSeconds(5))));
    assertThat(call(A, "a")).isEqualTo(REFUSED);
  }

  /** What somebody on the wire recorded is worth nothing when the window has passed. */
  @Test
  void recordedRequest_isRefused_alteredAtOnce_repeatedAfterTheWindow() throws Exception {
    call(A, "a");
    String recorded = function.requests().getFirst().getBodyAsString();

    assertThat(post(recorded)).contains("digest");
    assertThat(post(recorded.replaceFirst("\"id\":\"[^\"]*", "\"id\":\"zzz")))
        .contains("broken_seal");
    assertThat(post(recorded.replace("$2b$04$C", "$2b$04$D"))).contains("broken_seal");
    assertThat(post(recorded.replaceFirst("\"at\":\\d+", "\"at\":4000000000")))
        .contains("broken_seal");
    function.computes(
        opener(A, InstantSource.offset(InstantSource.system(), MINUTE.plusSeconds(5))));
    assertThat(post(recorded)).contains("stale_seal");
  }

  /** At DEBUG and below, whether it was sealed or not, opened or not. */
  @Test
  void nothingOfPasswordOrKey_isLogged() {
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      assertThat(call(A, "a")).isEqualTo(RIGHT);
      assertThat(call(OTHER_A, "a")).isEqualTo(REFUSED);
      for (Faults fault : new Faults[] {Faults.FORBIDDEN, Faults.FUNCTION_ERROR, Faults.WORDS}) {
        fault.provoke(function);
        assertThat(call(A, "a")).isInstanceOf(SpillAnswer.NoDigest.class);
      }
      function.computes(Opener.none());
      assertThat(
              spill(SpillCalls.Seals.NONE).digest(SpillCalls.SETTING, SpillCalls.PASSWORD, soon()))
          .isEqualTo(RIGHT);
      assertThat(log.lines()).as("something was logged").isNotEmpty();
      String base64 = Base64.getEncoder().encodeToString(SpillCalls.PASSWORD);
      for (String secret :
          new String[] {"s3cret", "733363726574", base64, "0f0f0f0f0f0f", "777777777777"}) {
        assertThat(log.lines().stream().filter(line -> line.contains(secret))).isEmpty();
      }
    }
  }

  /** Elsewhere it would be refused again: it is not tried, however many targets there are. */
  @Test
  void refusedSeal_isNotTriedElsewhere() {
    Spill spill =
        SpillCalls.to(
            SpillCalls.Seals.with(OTHER_A, "a"),
            4,
            meters,
            Spilling.endpoint(),
            Spilling.endpoint());
    for (int i = 0; i < 40; i++) {
      SpillAnswer answer = spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, soon());
      assertThat(answer).isIn(REFUSED, new SpillAnswer.NoDigest(SpillAnswer.Reason.COOLING));
    }
    assertThat(meters.find("spillway.spill.retries").counters()).isEmpty();
    assertThat(spill.outstanding()).isZero();
  }

  private SpillAnswer call(String keys, String use) {
    return spill(SpillCalls.Seals.with(keys, use))
        .digest(SpillCalls.SETTING, SpillCalls.PASSWORD, soon());
  }

  private Spill spill(SpillConfig.Sealing sealing) {
    return SpillCalls.to(sealing, 4, meters, Spilling.endpoint());
  }

  private double misconfigured() {
    return meters.get("spillway.spill.misconfigured").gauge().value();
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  private static Opener opener(String keys, InstantSource clock) {
    return new Opener(SealKeys.parse(keys), true, MINUTE, clock);
  }

  private static String post(String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(Spilling.endpoint().resolve("/any"))
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
