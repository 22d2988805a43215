package dev.spillway.core.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.core.bcrypt.DigestResult.Abandoned;
import dev.spillway.core.bcrypt.DigestResult.Digested;
import dev.spillway.core.bcrypt.DigestResult.Failed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The invariants that {@link LaneRun} numbers. */
class LaneRunTest {
  private static final byte[] PASSWORD = {1, 2, 3};

  /** L1: a broken backlog fails the jobs in the lanes, once each, and is not hidden. */
  @Test
  void backlogThatThrows_failsWhatRuns() {
    TestJob first = job(10);
    TestJob second = job(5);
    ArrayDeque<DigestJob> waiting = new ArrayDeque<>(List.of(second));
    LaneRun run =
        new LaneRun(
            2,
            () -> {
              if (waiting.isEmpty()) {
                throw new IllegalStateException("broken");
              }
              return waiting.remove();
            });

    assertThatThrownBy(() -> run.run(first)).hasMessage("broken");

    assertThat(first.results()).singleElement().isInstanceOf(Failed.class);
    assertThat(second.results()).singleElement().isInstanceOf(Digested.class);
  }

  /** L1: a job that breaks while it is told leaves the others ended once, itself included. */
  @Test
  void jobThatThrowsAtItsEnd_isNotEndedAgain() {
    List<DigestResult> results = new ArrayList<>();
    DigestJob breaking =
        new DigestJob() {
          @Override
          public BcryptSetting setting() {
            return job(4).setting();
          }

          @Override
          public byte[] password() {
            return PASSWORD;
          }

          @Override
          public boolean abandoned() {
            return false;
          }

          @Override
          public void end(DigestResult result) {
            results.add(result);
            throw new IllegalStateException("broken");
          }
        };
    TestJob neighbour = job(10);

    assertThatThrownBy(() -> new LaneRun(2, backlog(neighbour)).run(breaking)).hasMessage("broken");

    assertThat(results).singleElement().isInstanceOf(Digested.class);
    assertThat(neighbour.results()).singleElement().isInstanceOf(Failed.class);
  }

  /** L1: a job that cannot be begun costs its neighbours nothing. */
  @Test
  void passwordTooLong_failsAlone() {
    TestJob first = job(5);
    TestJob tooLong = new TestJob(first.setting(), new byte[73], TestJob.NEVER);
    TestJob last = job(4);

    new LaneRun(2, backlog(tooLong, last)).run(first);

    assertThat(tooLong.results())
        .singleElement()
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.cause()).hasMessageContaining("72 bytes"));
    assertThat(first.results()).singleElement().isInstanceOf(Digested.class);
    assertThat(last.results()).singleElement().isInstanceOf(Digested.class);
  }

  /** L2: busy goes up as the backlog hands out, and down as jobs end. */
  @Test
  void lanesBusy_followTheJobs() {
    TestJob first = job(6);
    List<Integer> seen = new ArrayList<>();
    ArrayDeque<DigestJob> later = new ArrayDeque<>(List.of(job(4), job(4)));
    LaneRun[] run = new LaneRun[1];
    run[0] =
        new LaneRun(
            3,
            () -> {
              seen.add(run[0].busy());
              // Nothing at the first look, so that the first chunk is run alone.
              return seen.size() == 1 ? null : later.poll();
            });

    run[0].run(first);

    // Alone; two more come and fill the lanes, at which nobody looks at the backlog; both end
    // after two chunks; the first goes on alone for the rest of its eight chunks.
    assertThat(seen).containsExactly(1, 1, 2, 1, 1, 1, 1, 1, 0);
    assertThat(run[0].busy()).isZero();
  }

  /** L3: a look at abandoned() before the first chunk and after each but the last. */
  @Test
  void abandoned_isAskedOnceAChunk() {
    TestJob job = job(6);

    new LaneRun(1, Backlog.EMPTY).run(job);

    assertThat(job.looks()).isEqualTo((1 << 6) / LaneRun.CHUNK);
  }

  /** L3: a lane is given up and filled again while its neighbour has thousands of chunks to go. */
  @Test
  void abandonedJob_makesWayAtOnce() {
    TestJob endless = new TestJob(job(25).setting(), PASSWORD, 6);
    TestJob dropped = new TestJob(job(25).setting(), PASSWORD, 2);
    TestJob next = job(4);

    new LaneRun(2, backlog(dropped, next)).run(endless);

    assertThat(dropped.results()).containsExactly(new Abandoned());
    assertThat(next.results()).singleElement().isInstanceOf(Digested.class);
    assertThat(endless.results()).containsExactly(new Abandoned());
  }

  /** L3: a job that nobody wanted from the start takes no lane. */
  @Test
  void abandonedBeforehand_isNotBegun() {
    TestJob job = new TestJob(job(25).setting(), PASSWORD, 1);
    LaneRun run = new LaneRun(1, Backlog.EMPTY);

    run.run(job);

    assertThat(job.results()).containsExactly(new Abandoned());
    assertThat(run.lane(0)).isNull();
  }

  /** L4: neither key nor expanded key outlives the job. */
  @Test
  void emptiedLane_holdsNothing() {
    List<LaneState> emptied = new ArrayList<>();
    LaneRun[] run = new LaneRun[1];
    run[0] =
        new LaneRun(
            2,
            () -> {
              for (int lane = run[0].busy(); lane < 2 && run[0].lane(lane) != null; lane++) {
                emptied.add(run[0].lane(lane));
                assertThat(run[0].lane(lane).key).containsOnly(0);
                assertThat(run[0].lane(lane).state).containsOnly(0);
              }
              return emptied.isEmpty() && run[0].busy() == 1 ? job(4) : null;
            });

    run[0].run(job(5));

    assertThat(emptied).isNotEmpty();
  }

  private static TestJob job(int cost) {
    return TestJob.of("$2b$" + (cost < 10 ? "0" : "") + cost + "$CCCCCCCCCCCCCCCCCCCCC.", PASSWORD);
  }

  private static Backlog backlog(DigestJob... jobs) {
    return new ArrayDeque<>(List.of(jobs))::poll;
  }
}
