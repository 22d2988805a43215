package dev.spillway.hashing.spill;

import static dev.spillway.hashing.spill.SpillBench.computed;
import static dev.spillway.hashing.spill.SpillBench.no;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.spill.call.SpillRules;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that travel together. */
@Timeout(60)
class GroupTest {
  private static final SpillRules PATIENT = new SpillRules(Duration.ofSeconds(20), 3, 0);
  private static final SpillRules BRIEF = new SpillRules(Duration.ofMillis(30), 3, 0);

  private final HeldFunction function = new HeldFunction();
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    function.letAll();
    callers.close();
  }

  @Test
  void withASlotFree_aJobGoesAlone() throws Exception {
    function.hold();
    try (SpillBench bench = bench(PATIENT, 5)) {
      List<Future<SpillAnswer>> answers = call(bench, 5);
      await().until(() -> function.calls() == 5);
      function.letAll();
      assertComputed(answers);
      assertThat(function.jobsOfCalls()).as("D1").containsOnly(1);
    }
  }

  @Test
  void thoseWhoWait_shareTheSlotThatFrees() throws Exception {
    function.hold();
    try (SpillBench bench = bench(PATIENT, 2)) {
      List<Future<SpillAnswer>> answers = call(bench, 2);
      await().until(() -> function.calls() == 2);
      List<Future<SpillAnswer>> others = call(bench, 5);
      await().until(() -> bench.waiting() == 5);

      function.letOne();
      await().until(() -> function.calls() == 3);
      // One slot at a time: of two that free at once each takes one of the last two jobs.
      function.letOne();
      await().until(() -> function.calls() == 4);
      function.letAll();
      assertComputed(answers);
      assertComputed(others);
      assertThat(function.jobsOfCalls()).as("D2").containsExactly(1, 1, 3, 2);
    }
  }

  @Test
  void anEventThatCannotBeMade_isSaid_andKeepsNoSlot() throws Exception {
    function.hold();
    try (SpillBench bench = bench(PATIENT, 1)) {
      List<Future<SpillAnswer>> first = call(bench, 1);
      await().until(() -> function.calls() == 1);
      List<Future<SpillAnswer>> waiting = call(bench, 2);
      await().until(() -> bench.waiting() == 2);

      bench.events = GroupTest::fail;
      function.letAll();
      assertComputed(first);
      for (Future<SpillAnswer> answer : waiting) {
        assertThat(answer.get()).as("C1").isEqualTo(no(Reason.REJECTED));
      }
      assertThatThrownBy(bench::digest).hasMessage("no event");
      assertThat(bench.spill.outstanding()).as("C1").isZero();

      bench.events = WireFormat::write;
      assertThat(bench.digest()).isEqualTo(computed());
    }
  }

  private static byte[] fail(DigestRequest request) {
    throw new IllegalStateException("no event");
  }

  @Test
  void whoWaitsInVain_isRefusedInTime() throws Exception {
    function.hold();
    try (SpillBench bench = bench(BRIEF, 1)) {
      List<Future<SpillAnswer>> first = call(bench, 1);
      await().until(() -> function.calls() == 1);
      assertThat(bench.digest()).isEqualTo(no(Reason.FULL));
      assertThat(bench.waiting()).isZero();
      function.letAll();
      assertComputed(first);
    }
  }

  @Test
  void whoLeftBeforeTheCall_doesNotTravel() throws Exception {
    function.hold();
    try (SpillBench bench = bench(PATIENT, 1)) {
      List<Future<SpillAnswer>> first = call(bench, 1);
      await().until(() -> function.calls() == 1);
      List<Future<SpillAnswer>> waiting = call(bench, 3);
      await().until(() -> bench.waiting() == 3);

      waiting.get(1).cancel(true);
      await().until(() -> bench.waiting() == 2);
      function.letAll();
      assertComputed(first);
      assertComputed(List.of(waiting.get(0), waiting.get(2)));
      assertThat(function.jobsOfCalls()).as("C2").containsExactly(1, 2);
    }
  }

  @Test
  void whenOneLeaves_theCallGoesOn_whenAllLeave_itIsBrokenOff() throws Exception {
    function.hold();
    try (SpillBench bench = bench(PATIENT, 1)) {
      List<Future<SpillAnswer>> first = call(bench, 1);
      await().until(() -> function.calls() == 1);
      List<Future<SpillAnswer>> group = call(bench, 3);
      await().until(() -> bench.waiting() == 3);
      function.letOne();
      assertComputed(first);
      await().until(() -> function.calls() == 2);

      group.get(0).cancel(true);
      group.get(1).cancel(true);
      assertThat(bench.spill.outstanding()).as("C3").isEqualTo(1);
      group.get(2).cancel(true);
      await().until(() -> bench.spill.outstanding() == 0);

      function.letAll();
      assertThat(bench.digest()).as("C3: the slot is free").isEqualTo(computed());
    }
  }

  /**
   * D3, C1: joining, leaving, timing out and freeing in every order; no slot and no job is lost.
   */
  @Test
  void manyCallersOnFewSlots_loseNothing() throws Exception {
    SpillRules rules = new SpillRules(Duration.ofMillis(2), 3, 10);
    function.computesIn(Duration.ofMillis(3));
    try (SpillBench bench = bench(rules, 2)) {
      List<SpillAnswer> answers = bench.digests(2_000, 12);
      assertThat(answers).hasSize(2_000).containsOnly(computed(), no(Reason.FULL));
      assertThat(answers).contains(computed());
    }
  }

  private SpillBench bench(SpillRules rules, int bound) {
    return new SpillBench(rules, bound, function);
  }

  private List<Future<SpillAnswer>> call(SpillBench bench, int count) {
    return IntStream.range(0, count).mapToObj(i -> callers.submit(() -> bench.digest())).toList();
  }

  private static void assertComputed(List<Future<SpillAnswer>> answers) throws Exception {
    for (Future<SpillAnswer> answer : answers) {
      assertThat(answer.get()).isEqualTo(computed());
    }
  }
}
