package dev.spillway.auth.hashing.spill;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.FreePort;
import dev.spillway.auth.Spilling;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * T1 and T2 where peers are silent, slow or gone: a call ends in time, and so does its connection.
 */
@QuarkusTest
@TestProfile(Spilling.class)
@Timeout(60)
class SpillConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration OFTEN = Duration.ofMillis(5);
  private static final BcryptDigest RIGHT =
      new SpringDigestEngine().digest(SpillCalls.SETTING, SpillCalls.PASSWORD);

  @Test
  void silentPeer_isLateAtTheDeadlineAndHungUpOn() throws IOException {
    try (RudePeer peer = new RudePeer(RudePeer::silent)) {
      Spill spill = SpillCalls.to(4, peer.uri());
      assertLateInTime(spill);
      assertThat(peer.requests).hasValue(1);
      await().pollInterval(OFTEN).until(() -> peer.open.get() == 0);
    }
  }

  /** A timeout for each read would begin anew with every byte. */
  @Test
  void drippingPeer_isLateAtTheDeadlineAndHungUpOn() throws IOException {
    try (RudePeer peer = new RudePeer(RudePeer::dripping)) {
      assertLateInTime(SpillCalls.to(4, peer.uri()));
      await().pollInterval(OFTEN).until(() -> peer.open.get() == 0);
    }
  }

  /** Else a few silent answers would leave slots without connections to use them with. */
  @Test
  void lateCalls_leaveTheConnectionsToOthers() throws Exception {
    try (RudePeer peer =
        new RudePeer(
            (self, socket) -> {
              if (self.accepted.get() <= 2) {
                RudePeer.silent(self, socket);
                return;
              }
              while (self.request(socket)) {
                RudePeer.answer(socket, right(self.requests.get() - 1));
              }
            })) {
      Spill spill = SpillCalls.to(2, peer.uri());
      try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        Future<SpillAnswer> one = callers.submit(() -> call(spill, SHORT));
        Future<SpillAnswer> other = callers.submit(() -> call(spill, SHORT));
        await().pollInterval(OFTEN).until(() -> peer.requests.get() == 2);
        assertLate(one.get());
        assertLate(other.get());
      }
      assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.Computed(RIGHT));
      assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.Computed(RIGHT));
    }
  }

  @Test
  void interrupted_returnsAtOnceAndStaysInterrupted() throws Exception {
    try (RudePeer peer = new RudePeer(RudePeer::silent)) {
      Spill spill = SpillCalls.to(4, peer.uri());
      SpillAnswer[] answer = new SpillAnswer[1];
      boolean[] stillInterrupted = new boolean[1];
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    answer[0] = call(spill, LONG);
                    stillInterrupted[0] = Thread.currentThread().isInterrupted();
                  });
      await().pollInterval(OFTEN).until(() -> peer.requests.get() == 1);
      assertThat(spill.outstanding()).isEqualTo(1);

      caller.interrupt();

      assertThat(caller.join(LONG.dividedBy(2))).as("at once").isTrue();
      assertLate(answer[0]);
      assertThat(stillInterrupted[0]).isTrue();
      assertThat(spill.outstanding()).isZero();
      await().pollInterval(OFTEN).until(() -> peer.open.get() == 0);
    }
  }

  /** T1. The connections are as many as the slots: no call waits for another one's. */
  @Test
  void everySlot_hasAConnection() throws Exception {
    int slots = 64;
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    try (RudePeer peer = new RudePeer(RudePeer::silent);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Spill spill = SpillCalls.to(slots, meters, peer.uri());
      List<Future<SpillAnswer>> answers = new ArrayList<>();
      Deadline deadline = Deadline.in(LONG);
      for (int i = 1; i <= slots; i++) {
        int calls = i;
        answers.add(callers.submit(() -> call(spill, LONG)));
        // One by one: jobs that come together share a call.
        await().pollInterval(OFTEN).until(() -> peer.requests.get() == calls);
      }

      assertThat(spill.outstanding()).isEqualTo(slots);
      assertThat(meters.get("spillway.spill.outstanding").gauge().value()).isEqualTo(slots);
      assertThat(spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, deadline))
          .isEqualTo(new SpillAnswer.NoDigest(SpillAnswer.Reason.FULL));
      callers.shutdownNow();
      for (Future<SpillAnswer> answer : answers) {
        assertLate(answer.get());
      }
      assertThat(spill.outstanding()).isZero();
      await().pollInterval(OFTEN).until(() -> peer.open.get() == 0);
    }
  }

  @Test
  void connectionClosedBetweenCalls_isReplaced() throws IOException {
    try (RudePeer peer =
        new RudePeer(
            (self, socket) ->
                RudePeer.answeringAndClosing(right(self.accepted.get() - 1)).meet(self, socket))) {
      Spill spill = SpillCalls.to(1, peer.uri());
      for (int i = 0; i < 5; i++) {
        assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.Computed(RIGHT));
        await().pollInterval(OFTEN).until(() -> peer.open.get() == 0);
      }
      assertThat(peer.accepted).hasValue(5);
    }
  }

  /** C1: whatever becomes of a request over a kept connection before its answer began. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void c1_keptConnectionLostBeforeTheAnswer_costsNobodyAnything(boolean reset) throws IOException {
    AtomicInteger jobs = new AtomicInteger();
    try (RudePeer peer =
        new RudePeer(
            (self, socket) -> {
              if (self.request(socket)) {
                RudePeer.answer(socket, right(jobs.getAndIncrement()));
                if (self.request(socket) && reset) {
                  socket.setSoLinger(true, 0);
                }
              }
            })) {
      SimpleMeterRegistry meters = new SimpleMeterRegistry();
      Spill spill = SpillCalls.to(4, meters, peer.uri());
      for (int i = 0; i < 24; i++) {
        assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.Computed(RIGHT));
      }
      assertThat(meters.get("spillway.spill.call").tag("outcome", "computed").timer().count())
          .isEqualTo(24);
      assertThat(meters.find("spillway.spill.retries").counter()).as("of no budget").isNull();
      assertThat(peer.requests).as("some were sent twice").hasValueGreaterThan(24);
    }
  }

  /** C1: the same, where it closes as soon as it has answered, while the next call is made. */
  @Test
  void c1_peerThatClosesAfterEachAnswer_answersEveryCall() throws IOException {
    AtomicInteger jobs = new AtomicInteger();
    try (RudePeer peer =
        new RudePeer(
            (self, socket) -> {
              if (self.request(socket)) {
                RudePeer.answer(socket, right(jobs.getAndIncrement()));
              }
            })) {
      Spill spill = SpillCalls.to(1, peer.uri());
      for (int i = 0; i < 200; i++) {
        assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.Computed(RIGHT));
      }
    }
  }

  /** C1: what a new connection does is the target's doing, and so is the second failure. */
  @Test
  void c1_lostAgain_isUnreachable_afterOneMoreRequest() throws IOException {
    try (RudePeer peer =
        new RudePeer(
            (self, socket) -> {
              if (self.accepted.get() == 1 && self.request(socket)) {
                RudePeer.answer(socket, right(0));
              }
              self.request(socket);
            })) {
      Spill spill = SpillCalls.to(4, peer.uri());
      assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.Computed(RIGHT));
      assertUnreachable(spill);
      assertThat(peer.requests).as("one, and two for the second call").hasValue(3);
      await().untilAsserted(() -> assertUnreachable(spill));
      assertThat(peer.requests.get()).as("one over a new connection").isEqualTo(4);
    }
  }

  /** M3: chunks of an answer that does not end, and that of an error. */
  @ParameterizedTest
  @CsvSource({"200 OK, MALFORMED", "502 Bad Gateway, MALFORMED"})
  void m3_answerWithoutEnd_isReadTo64KiB(String status, SpillAnswer.Reason reason)
      throws IOException {
    AtomicLong written = new AtomicLong();
    String chunk = "400\r\n" + " ".repeat(1024) + "\r\n";
    try (RudePeer peer =
        new RudePeer(
            (self, socket) -> {
              self.request(socket);
              OutputStream out = socket.getOutputStream();
              out.write(
                  ("HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                      .getBytes(US_ASCII));
              while (true) {
                out.write(chunk.getBytes(US_ASCII));
                written.addAndGet(chunk.length());
              }
            })) {
      Spill spill = SpillCalls.to(4, peer.uri());
      long start = System.nanoTime();
      assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.NoDigest(reason));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG);
      await().pollInterval(OFTEN).until(() -> peer.open.get() == 0);
      assertThat(written.get()).as("with what lay in buffers between").isLessThan(16 << 20);
    }
  }

  @Test
  void connections_areKeptForTheNextCall() throws IOException {
    try (RudePeer peer =
        new RudePeer(
            (self, socket) -> {
              while (self.request(socket)) {
                RudePeer.answer(socket, right(self.requests.get() - 1));
              }
            })) {
      Spill spill = SpillCalls.to(4, peer.uri());
      for (int i = 0; i < 5; i++) {
        assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.Computed(RIGHT));
      }
      assertThat(peer.accepted).hasValue(1);
    }
  }

  @Test
  void peerThatHangsUpInMidBody_isUnreachable() throws IOException {
    try (RudePeer peer =
        new RudePeer(
            (self, socket) -> {
              self.request(socket);
              RudePeer.head(socket, 80);
              socket.getOutputStream().write('{');
              socket.getOutputStream().flush();
            })) {
      assertUnreachable(SpillCalls.to(4, peer.uri()));
    }
  }

  @Test
  void closedPort_isUnreachable() {
    assertUnreachable(SpillCalls.to(4, URI.create("http://localhost:" + FreePort.next())));
  }

  @Test
  void hostWithoutAddress_isUnreachable() {
    // A name server that says nothing is asked four times, for 5 s each.
    Spill spill = SpillCalls.to(4, URI.create("https://lambda.region.invalid"));
    assertUnreachable(spill, Duration.ofSeconds(50));
  }

  @Test
  void peerWithoutTls_isUnreachable() throws IOException {
    try (RudePeer peer = new RudePeer(RudePeer.answeringAndClosing("no TLS"))) {
      URI https = URI.create(peer.uri().toString().replace("http:", "https:"));
      assertUnreachable(SpillCalls.to(4, https));
    }
  }

  @Test
  void secondTarget_servesWhatTheFirstOneHasNoRoomFor() throws Exception {
    try (RudePeer one = new RudePeer(RudePeer::silent);
        RudePeer other = new RudePeer(RudePeer::silent);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Spill spill = SpillCalls.to(3, one.uri(), other.uri());
      IntStream.range(0, 6).forEach(i -> callers.submit(() -> call(spill, LONG)));
      await().pollInterval(OFTEN).until(() -> one.requests.get() == 3 && other.requests.get() == 3);
      callers.shutdownNow();
    }
  }

  @Test
  void noTarget_isDisabled() {
    Spill spill = SpillCalls.to(4);
    assertThat(spill.enabled()).isFalse();
    assertThat(call(spill, LONG)).isEqualTo(new SpillAnswer.NoDigest(SpillAnswer.Reason.DISABLED));
  }

  /** The answer to the n-th job of a spill. */
  private static String right(int n) {
    return FakeFunction.results(FakeFunction.result(Integer.toString(n, 36), RIGHT.text()));
  }

  private static SpillAnswer call(Spill spill, Duration deadline) {
    return spill.digest(SpillCalls.SETTING, SpillCalls.PASSWORD, Deadline.in(deadline));
  }

  /** Dripping goes on for a thousand seconds, and silence for ever. */
  private static void assertLateInTime(Spill spill) {
    long start = System.nanoTime();
    assertLate(call(spill, SHORT));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, SHORT.plusSeconds(15));
    assertThat(spill.outstanding()).isZero();
  }

  private static void assertLate(SpillAnswer answer) {
    assertThat(answer).isEqualTo(new SpillAnswer.NoDigest(SpillAnswer.Reason.LATE));
  }

  private static void assertUnreachable(Spill spill) {
    assertUnreachable(spill, LONG);
  }

  private static void assertUnreachable(Spill spill, Duration deadline) {
    assertThat(call(spill, deadline))
        .isEqualTo(new SpillAnswer.NoDigest(SpillAnswer.Reason.UNREACHABLE));
    assertThat(spill.outstanding()).isZero();
  }

  /** C4: calls that end while their connection is being made or taken leave none behind. */
  @Test
  @EnabledIfSystemProperty(named = "slow.tests", matches = "true")
  @Timeout(120)
  void c4_callsThatEndAtAnyMoment_leaveNoConnections() throws Exception {
    try (RudePeer peer =
            new RudePeer(
                (self, socket) -> {
                  while (self.request(socket)) {
                    RudePeer.answer(socket, right(0));
                  }
                });
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      Spill spill = SpillCalls.to(64, peer.uri());
      List<Future<SpillAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 3_000; i++) {
        Duration deadline = Duration.ofNanos(i * 1_000L);
        answers.add(callers.submit(() -> call(spill, deadline)));
      }
      for (Future<SpillAnswer> answer : answers) {
        answer.get();
      }
      // A call that gathers jobs leaves some milliseconds after those who have given up.
      await().pollInterval(OFTEN).until(() -> spill.outstanding() == 0);
      // Idle connections are closed after 30 s.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(peer.open).as("of %s", peer.accepted).hasValue(0));
    }
  }
}
