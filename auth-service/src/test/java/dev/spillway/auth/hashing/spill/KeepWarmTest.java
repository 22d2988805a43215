package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.hashing.spill.SpillBench.computed;
import static dev.spillway.auth.hashing.spill.SpillBench.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import dev.spillway.auth.hashing.spill.lambda.SigningCredentials;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pings, which nobody may notice but the function. */
@QuarkusTest
@Timeout(60)
class KeepWarmTest {
  private static final Duration OFTEN = Duration.ofMillis(20);
  private static final Duration ONCE = Duration.ofHours(1);

  private final FaultyFunction one = new FaultyFunction();
  private final FaultyFunction two = new FaultyFunction();

  @AfterEach
  void close() {
    one.close();
    two.close();
  }

  @Test
  void asManyAsWanted_areSentAtOnce_andCountAgainstTheBound() {
    one.hold();
    try (SpillBench bench = bench()) {
      bench.use(Map.of("t0", target(one.url(), 5, 3)), ONCE);
      await("K1").until(() -> one.calls() == 3);
      assertThat(one.jobsOfCalls()).containsOnly(0);
      assertThat(bench.spill.outstanding()).as("K1").isEqualTo(3);
      assertThat(bench.metered("pings")).isEqualTo(3);

      one.letAll();
      await().until(() -> bench.metered("ping", "outcome", "answered") == 3);
      assertThat(bench.spill.outstanding()).isZero();
      assertThat(bench.metered("call")).as("a ping is no call").isZero();
      assertThat(bench.digest()).isEqualTo(computed());
      assertThat(bench.metered("cold")).as("it has been met").isZero();
    }
  }

  @Test
  void aTargetLeftAlone_isNotPinged() {
    try (SpillBench bench = bench()) {
      bench.use(Map.of("t0", target(one.url(), 5, 0)), ONCE);
      one.fails(403);
      bench.digest();
      assertThat(bench.metered("cooling", "target", "t0")).isEqualTo(1);
      bench.use(Map.of("t0", target(one.url(), 5, 2), "t1", target(two.url(), 5, 1)), OFTEN);
      await().until(() -> two.calls() >= 3); // rounds in which the other was not pinged
      assertThat(one.calls()).as("K1").isEqualTo(1);
      endPings(bench);
    }
  }

  @Test
  void aCallThatFindsNoSlot_takesThatOfAPing() throws Exception {
    one.hold();
    try (SpillBench bench = bench();
        ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
      bench.use(Map.of("t0", target(one.url(), 2, 2)), ONCE);
      await().until(() -> one.calls() == 2);

      List<Future<SpillAnswer>> calls =
          List.of(caller.submit(() -> bench.digest()), caller.submit(() -> bench.digest()));

      await("K2").until(() -> one.calls() == 4);
      assertThat(one.jobsOfCalls()).as("K2: alone, it has waited for nothing").contains(1, 1);
      assertThat(bench.metered("ping", "outcome", "gave_way")).as("K2").isEqualTo(2);
      assertThat(bench.spill.outstanding()).as("K2: never over its bound").isEqualTo(2);
      one.letAll();
      for (Future<SpillAnswer> call : calls) {
        assertThat(call.get()).isEqualTo(computed());
      }
    }
  }

  /** K2: a call has its slot already when it is about to be sent. */
  @Test
  void aPingThatGaveWayBeforeItWasSent_isNotSent() throws Exception {
    CountDownLatch found = new CountDownLatch(1);
    try (SigningCredentials lookedFor =
            new SigningCredentials(
                () -> {
                  await().until(() -> found.getCount() == 0);
                  throw new IllegalStateException("none");
                });
        LambdaEndpoint endpoint =
            new LambdaEndpoint(one.url(), "eu-central-1", Duration.ofSeconds(1), lookedFor)) {
      SpillTarget target = new SpillTarget("t0", target(one.url(), 1, 1), endpoint);
      Ping ping = new Ping(target, null, (any, outcome) -> {});
      assertThat(ping.giveWay()).isTrue();
      Thread sender = Thread.ofPlatform().start(ping::send);
      await()
          .until(
              () ->
                  sender.getState() == Thread.State.TERMINATED
                      || sender.getState() == Thread.State.TIMED_WAITING);
      assertThat(sender.getState()).as("waits for nothing").isEqualTo(Thread.State.TERMINATED);
    } finally {
      found.countDown();
    }
  }

  @Test
  void pingsThatFail_closeNothing_andAreToldOnce() {
    one.fails(500);
    try (CapturedLog log = CapturedLog.from(Level.INFO);
        SpillBench bench = bench()) {
      bench.use(Map.of("t0", target(one.url(), 5, 2)), OFTEN);
      await().until(() -> bench.metered("ping", "outcome", "unavailable") >= 8);
      assertThat(bench.metered("cooling")).as("K3").isZero();
      await("said after it was counted").until(() -> !said(log, "WARN").isEmpty());
      assertThat(said(log, "WARN")).hasSize(1);
      assertThat(said(log, "ERROR")).isEmpty();

      // A ping that is out while the function is being cured might fail after others were answered.
      bench.use(Map.of("t0", target(one.url(), 5, 0)));
      await().until(() -> bench.spill.outstanding() == 0);
      one.computes();
      bench.use(Map.of("t0", target(one.url(), 5, 2)), OFTEN);
      await().until(() -> bench.metered("ping", "outcome", "answered") >= 4);
      await("said after it was counted").until(() -> !said(log, "again").isEmpty());
      assertThat(said(log, "again")).hasSize(1);
      assertThat(bench.digest()).isEqualTo(computed());
      endPings(bench);
    }
  }

  @Test
  void whatComputes_needsNoPing() throws Exception {
    one.hold();
    try (SpillBench bench = bench();
        ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
      bench.use(Map.of("t0", target(one.url(), 5, 0)), ONCE);
      Future<SpillAnswer> call = caller.submit(() -> bench.digest());
      await().until(() -> one.calls() == 1);
      bench.use(Map.of("t0", target(one.url(), 5, 3)), OFTEN);
      await().until(() -> one.calls() == 3);
      assertThat(one.jobsOfCalls()).as("K4").containsExactly(1, 0, 0);
      one.letAll();
      assertThat(call.get()).isEqualTo(computed());
      endPings(bench);
    }
  }

  private static List<String> said(CapturedLog log, String what) {
    return log.lines().stream()
        .filter(line -> line.contains("[" + Spill.class.getName() + "]") && line.contains(what))
        .toList();
  }

  /** Without targets: a round that had begun with the old ones can send nothing any more. */
  private static void endPings(SpillBench bench) {
    bench.use(Map.of());
    await().until(() -> bench.spill.outstanding() == 0);
  }

  private static SpillBench bench() {
    return new SpillBench(SpillBench.RULES, 1, SpillBench.hour(), List.of());
  }
}
