package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.auth.HeldPool;
import dev.spillway.auth.Spilling;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import dev.spillway.locallambda.fault.Fault;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The table of docs/failure-modes.md, row by row: logins while the pool is full and the function
 * has a fault, and that nothing is left behind.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class FaultContract {
  /** Longer than the deadline of {@link Spilling}: the pool cannot be the one who answers. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration OFTEN = Duration.ofMillis(5);

  /**
   * Many of these in line keep the only permit for longer than the enqueue timeout. Each is short:
   * nobody would stand in line behind one that is expected to run past the deadline.
   */
  private static final BcryptSetting BUSY = BcryptSetting.parse("$2b$10$CCCCCCCCCCCCCCCCCCCCC.");

  private static FaultyPeer peer;

  @Inject HashPool pool;
  @Inject UserDirectory users;

  /** Once for all rows. */
  abstract FaultyPeer start() throws Exception;

  @AfterAll
  static void stop() {
    peer.close();
    peer = null;
  }

  @BeforeEach
  void aServiceThatSpills() throws Exception {
    if (peer == null) {
      peer = start();
      users.create(new NewUser(new LoginName("ann"), TestHash.of("right"), true, false, Set.of()));
      await().until(() -> given().get("/q/health/ready").statusCode() == 200);
      awaitSpilled(1);
    }
  }

  /** Permits and calls; connections are counted after all rows. */
  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    peer.heal();
    await()
        .untilAsserted(
            () -> {
              String metrics = Metrics.text();
              assertThat(Metrics.sumIn(metrics, "spillway_pool_permits_used")).isZero();
              assertThat(Metrics.sumIn(metrics, "spillway_pool_waiting")).isZero();
              assertThat(Metrics.sumIn(metrics, "spillway_spill_outstanding")).isZero();
              assertThat(Metrics.sumIn(metrics, "spillway_spill_waiting")).isZero();
            });
    awaitSpilled(1);
    assertThat(Metrics.sum("spillway_spill_misconfigured")).isZero();
  }

  /** There are as many connections as slots: one that a row had kept would be missing. */
  @Test
  @Order(Integer.MAX_VALUE)
  void everyConnection_isThereForTheNextCalls() throws Exception {
    awaitSpilled(peer.capacity());
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SLOW_INIT", "NO_INIT", "BAD_DAY"})
  void row(Fault fault) throws Exception {
    Expected expected = Expected.of(fault);
    if (expected.outcome().equals("computed")) {
      warmUp(); // cold starts beside the fault could take the whole deadline
    }
    assumeTrue(peer.inject(fault), "this peer cannot have it");
    double before = Metrics.calls(expected.outcome());
    double shed = Metrics.sum("spillway_hashing_total", "path=\"shed\"");

    List<Response> answers;
    try (HeldPool held = HeldPool.hold(pool)) {
      answers =
          all(
              () -> login("ann", "right"),
              () -> login("ann", "wrong"),
              () -> login("nobody", "right"));
    }

    assertThat(answers.get(0).statusCode()).as("right").matches(expected::isRight);
    assertThat(answers.get(1).statusCode()).as("wrong").matches(expected::isWrong);
    assertThat(answers.get(2).statusCode()).as("unknown").matches(expected::isWrong);
    assertThat(Metrics.calls(expected.outcome())).as("counted").isGreaterThan(before);
    for (Response answer : answers) {
      if (answer.statusCode() == 503) {
        assertThat(answer.contentType()).startsWith("application/problem+json");
        assertThat(Integer.parseInt(answer.header("Retry-After"))).isPositive();
        shed++;
      }
    }
    String metrics = Metrics.text();
    assertThat(Metrics.sumIn(metrics, "spillway_hashing_total", "path=\"shed\"")).isEqualTo(shed);
    assertThat(Metrics.sumIn(metrics, "spillway_spill_misconfigured"))
        .as("the alarm that somebody must act")
        .isEqualTo(expected.outcome().equals("misconfigured") ? 1 : 0);
  }

  /** The last resort, which the rows above take away to see what else there is. */
  @ParameterizedTest
  @EnumSource(names = {"THROTTLED_CONCURRENCY", "UNAVAILABLE", "FORBIDDEN", "FAILS_FAST", "HTML"})
  void failedEarly_aPermitThatComesFreeInTimeIsAsGood(Fault fault) throws Exception {
    peer.inject(fault);
    String outcome = Expected.of(fault).outcome();
    double before = Metrics.calls(outcome);
    Deadline hashes = Deadline.in(PATIENCE);
    try (ExecutorService client = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 32; i++) {
        Thread.startVirtualThread(
            () -> {
              // Again and again, or the line might be served before the login comes.
              while (!hashes.passed()) {
                pool.digest(BUSY, new byte[] {'b'}, PATIENCE, hashes);
              }
            });
      }
      await().pollInterval(OFTEN).until(() -> pool.waiting() > 16);

      Future<Response> answer = client.submit(() -> login("ann", "right"));
      await("spilled").pollInterval(OFTEN).until(() -> Metrics.calls(outcome) > before);
      hashes.abandon();

      assertThat(answer.get().statusCode()).as(answer.get().asString()).isEqualTo(200);
    } finally {
      hashes.abandon();
    }
  }

  @Test
  void badDay_isAnHonestNoAtWorst() throws Exception {
    assumeTrue(peer.inject(Fault.BAD_DAY), "this peer cannot have it");
    try (HeldPool held = HeldPool.hold(pool)) {
      assertThat(wavesUntilSeen(() -> login("ann", "right"), 200, 503)).containsOnly(200, 503);
      assertThat(wavesUntilSeen(() -> login("ann", "wrong"), 401, 503)).containsOnly(401, 503);
    }
  }

  /** Which fault a call meets is chance: all calls of one wave may meet one that lasts, or none. */
  private static List<Integer> wavesUntilSeen(Request request, Integer... statuses) {
    List<Integer> seen = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              all(40, request).forEach(answer -> seen.add(answer.statusCode()));
              return seen.containsAll(List.of(statuses));
            });
    return seen;
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void everyMetricOfTheTable_isThere() throws Exception {
    assertThat(FailureModesTest.metrics()).isNotEmpty().allMatch(Metrics.text()::contains);
  }

  private void warmUp() throws Exception {
    peer.warm(3);
    for (int i = 0; i < 10; i++) {
      awaitSpilled(3);
    }
  }

  /** Spilled logins, at once, as many as the function can take. */
  void awaitSpilled(int count) throws Exception {
    try (HeldPool held = HeldPool.hold(pool)) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(all(count, () -> login("ann", "right")))
                      .extracting(Response::statusCode)
                      .containsOnly(200));
    }
  }

  /** A request a test makes. */
  interface Request {
    Response send();
  }

  static List<Response> all(int count, Request request) throws Exception {
    return all(IntStream.range(0, count).mapToObj(i -> request).toArray(Request[]::new));
  }

  /** At once. */
  static List<Response> all(Request... requests) throws Exception {
    List<Future<Response>> sent = new ArrayList<>();
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Request request : requests) {
        sent.add(clients.submit(request::send));
      }
    }
    List<Response> answers = new ArrayList<>();
    for (Future<Response> one : sent) {
      answers.add(one.get());
    }
    return answers;
  }
}
