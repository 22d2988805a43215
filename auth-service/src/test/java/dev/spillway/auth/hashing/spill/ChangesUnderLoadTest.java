package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.hashing.spill.SpillBench.assertComputed;
import static dev.spillway.auth.hashing.spill.SpillBench.computed;
import static dev.spillway.auth.hashing.spill.SpillBench.no;
import static dev.spillway.auth.hashing.spill.SpillBench.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.hashing.spill.SpillAnswer.Reason;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Targets that come, go and change while they are called. */
@QuarkusTest
@Timeout(120)
class ChangesUnderLoadTest {
  private static final SpillRules PATIENT = new SpillRules(Duration.ofSeconds(20), 3, 0, false);
  private static final SpillRules BRIEF = new SpillRules(Duration.ofMillis(30), 3, 0, false);

  private final FaultyFunction one = new FaultyFunction();
  private final FaultyFunction two = new FaultyFunction();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    one.close();
    two.close();
    callers.close();
  }

  @Test
  void anotherBound_keepsConnections_andWhatIsKnown() throws Exception {
    try (RudePeer peer = new RudePeer(ChangesUnderLoadTest::answering);
        SpillBench bench = bench(BRIEF, 4, peer.uri())) {
      assertThat(bench.digest()).isEqualTo(computed());
      for (int bound : new int[] {1, 7, 10_000}) {
        bench.use(Map.of("t0", target(peer.uri(), bound, 0)));
        assertThat(bench.metered("outstanding.max")).isEqualTo(bound);
        assertThat(bench.digest()).isEqualTo(computed());
      }
      assertThat(peer.accepted).as("H1").hasValue(1);
      assertThat(bench.metered("cold")).as("H1: no stranger").isEqualTo(1);
    }
  }

  @Test
  void aLowerBound_admitsNothing_untilCallsHaveEnded() throws Exception {
    one.hold();
    try (SpillBench bench = bench(BRIEF, 3, one.url())) {
      List<Future<SpillAnswer>> calls = call(bench, 3);
      await().until(() -> one.calls() == 3);
      bench.use(Map.of("t0", target(one.url(), 1, 0)));
      for (int outstanding = 3; outstanding > 0; outstanding--) {
        int expected = outstanding;
        await().until(() -> bench.spill.outstanding() == expected);
        assertThat(bench.digest()).as("%d outstanding", outstanding).isEqualTo(no(Reason.FULL));
        one.letOne();
      }
      for (Future<SpillAnswer> call : calls) {
        assertThat(call.get()).as("none was broken off").isEqualTo(computed());
      }
      one.letAll();
      assertThat(bench.digest()).isEqualTo(computed());
    }
  }

  @Test
  void aHigherBound_servesThoseWhoWait() throws Exception {
    one.hold();
    try (SpillBench bench = bench(PATIENT, 1, one.url())) {
      List<Future<SpillAnswer>> calls = call(bench, 1);
      await().until(() -> one.calls() == 1);
      List<Future<SpillAnswer>> waiting = call(bench, 1);
      await().until(() -> bench.metered("waiting") == 1);
      bench.use(Map.of("t0", target(one.url(), 2, 0)));
      await("D3").until(() -> one.calls() == 2);
      one.letAll();
      assertThat(calls.getFirst().get()).isEqualTo(computed());
      assertThat(waiting.getFirst().get()).isEqualTo(computed());
    }
  }

  @Test
  void aRemovedTarget_endsItsCalls_thenItsConnections() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    try (RudePeer peer =
            new RudePeer(
                (self, socket) -> {
                  self.request(socket);
                  answer.await();
                  RudePeer.answer(socket, right(0));
                  socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                });
        SpillBench bench = bench(BRIEF, 4, peer.uri())) {
      List<Future<SpillAnswer>> call = call(bench, 1);
      await().until(() -> peer.requests.get() == 1);

      bench.use(Map.of("t1", target(two.url(), 4, 0)));

      assertThat(bench.metered("leaving")).as("H2").isEqualTo(1);
      assertThat(bench.spill.outstanding()).as("H2").isEqualTo(1);
      assertThat(bench.spill.targets())
          .extracting(TargetState::name, TargetState::leaving)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("t0", true),
              org.assertj.core.groups.Tuple.tuple("t1", false));
      assertThat(bench.digest()).isEqualTo(computed());
      assertThat(two.calls()).isEqualTo(1);
      assertThat(peer.open).as("H2").hasValue(1);

      answer.countDown();
      assertThat(call.getFirst().get()).as("H2").isEqualTo(computed());
      await("H2").until(() -> peer.open.get() == 0);
      assertThat(bench.metered("leaving")).as("H2").isZero();
      assertThat(bench.spill.targets()).extracting(TargetState::name).containsExactly("t1");
      assertThat(bench.meters.find("spillway.spill.outstanding").tag("target", "t0").gauge())
          .isNull();
    }
  }

  @Test
  void withoutTargets_nothingSpills_andThenAgain() throws Exception {
    try (SpillBench bench = bench(BRIEF, 4, one.url())) {
      bench.use(Map.of());
      assertThat(bench.spill.enabled()).isFalse();
      assertThat(bench.digest()).isEqualTo(no(Reason.DISABLED));
      bench.use(Map.of("t0", target(one.url(), 4, 0)));
      assertThat(bench.digest()).isEqualTo(computed());
    }
  }

  @Test
  void aTargetThatCannotBeCalled_changesNothing() throws Exception {
    try (SpillBench bench = bench(BRIEF, 4, one.url())) {
      SpillPlan.Target broken = new SpillPlan.Target(SpillBench.unconnectable(two.url()), 4, 0);
      assertThatThrownBy(
              () ->
                  bench.use(
                      Map.of(
                          "t0", target(one.url(), 1, 0),
                          "t1", target(two.url(), 4, 0),
                          "t2", broken)))
          .hasMessageContaining("unconnectable");
      assertThat(bench.spill.targets())
          .as("H4")
          .containsExactly(new TargetState("t0", target(one.url(), 4, 0), 0, false, false));
      assertThat(bench.spill.plan().targets()).as("H4").containsOnlyKeys("t0");
      assertThat(bench.digest()).isEqualTo(computed());
    }
  }

  /**
   * H2, H3: moved to and fro under its name, grown and shrunk, beside another that comes and goes.
   */
  @Test
  void changesWhileManyCall_loseNoCall() throws Exception {
    try (SpillBench bench = bench(PATIENT, 4, one.url())) {
      Future<List<SpillAnswer>> answers = callers.submit(() -> bench.digests(3_000, 12));
      for (int i = 0; !answers.isDone(); i++) {
        SpillPlan.Target t0 =
            target(i % 2 == 0 ? two.url() : one.url(), 4 + i % 4, 0); // all may wait
        bench.use(i % 3 == 0 ? Map.of("t0", t0) : Map.of("t0", t0, "t1", target(one.url(), 2, 0)));
      }
      assertComputed(answers.get());
      await().until(() -> bench.spill.targets().stream().noneMatch(TargetState::leaving));
      assertThat(bench.metered("leaving")).isZero();
    }
  }

  private static SpillBench bench(SpillRules rules, int bound, URI url) {
    return new SpillBench(rules, bound, SpillBench.hour(), List.of(url));
  }

  private List<Future<SpillAnswer>> call(SpillBench bench, int count) {
    return IntStream.range(0, count).mapToObj(i -> callers.submit(() -> bench.digest())).toList();
  }

  private static void answering(RudePeer self, java.net.Socket socket) throws java.io.IOException {
    while (self.request(socket)) {
      RudePeer.answer(socket, right(self.requests.get() - 1));
    }
  }

  private static String right(int id) {
    return FakeFunction.results(
        FakeFunction.result(Integer.toString(id, 36), FaultyFunction.DIGEST));
  }
}
