package dev.spillway.hashing.pool;

import static dev.spillway.hashing.pool.Interleavings.explore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * The invariants of {@link HashPool} by its numbers, under many schedules. Every one also ends with
 * all permits free, or with what Fray calls a deadlock: a wake-up that was lost.
 */
class HashPoolModelTest {
  private static final BcryptSetting SETTING = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");

  /** About as long as a schedule takes: may pass before, while or after its caller is served. */
  private static final Duration SOON = Duration.ofMillis(3);

  /** Passes only where somebody waits for nothing. */
  private static final Duration FAR = Duration.ofSeconds(60);

  @Test
  void p1_noMoreRunThanThreads() {
    explore(
        () -> {
          Scene scene = new Scene(2, 1);
          List<Caller> callers = scene.callers("abc", FAR, FAR);
          scene.end(callers);
          assertThat(callers).allMatch(Caller::computed);
        });
  }

  @Test
  void p1_noMoreRunThanLanes() {
    explore(
        () -> {
          Scene scene = new Scene(1, 2);
          List<Caller> callers = scene.callers("abc", FAR, FAR);
          scene.end(callers);
          assertThat(callers).allMatch(Caller::computed);
        });
  }

  @Test
  void p2_aPermitReturnsOnce_howeverItsJobEnds() {
    explore(
        () -> {
          Scene scene = new Scene(1, 2);
          List<Caller> callers = scene.callers("aTE", FAR, FAR);
          scene.end(callers);
          assertThat(callers).as("answered").noneMatch(caller -> caller.refused());
        });
  }

  @Test
  void p2_aCallerThatStopsWaiting_givesNoPermitBackBeforeItsJobEnds() {
    explore(
        () -> {
          Scene scene = new Scene(1, 1);
          List<Caller> callers = scene.callers("abc", FAR, SOON);
          scene.end(callers);
        });
  }

  @Test
  void p3_timeoutMeetsGrant() {
    explore(
        () -> {
          Scene scene = new Scene(1, 1);
          List<Caller> callers = scene.callers("abc", SOON, FAR);
          List<Caller> patient = scene.callers("d", FAR, FAR);
          callers.addAll(patient);
          scene.end(callers);
          assertThat(patient).allMatch(Caller::computed);
        });
  }

  @Test
  void p3_aClientLeavesAsItsTurnComes() {
    explore(
        () -> {
          Scene scene = new Scene(1, 1);
          List<Caller> callers = scene.callers("abc", FAR, FAR);
          callers.get(0).deadline.abandon();
          callers.get(2).deadline.abandon();
          scene.end(callers);
          assertThat(callers.get(1).computed()).isTrue();
        });
  }

  @Test
  void p4_whoeverIsRefusedHadNoHashBegun() {
    explore(
        () -> {
          Scene scene = new Scene(1, 2);
          List<Caller> callers = scene.callers("ab", SOON, SOON);
          callers.addAll(scene.callers("c", FAR, FAR));
          callers.get(2).deadline.abandon();
          scene.end(callers);
        });
  }

  @Test
  void p5_afterCloseNothingRuns() {
    explore(
        () -> {
          Scene scene = new Scene(2, 1);
          List<Caller> callers = scene.callers("abc", FAR, FAR);
          scene.pool.close();
          assertThat(scene.watch.running).hasValue(0);
          scene.watch.bound = 0;
          scene.end(callers);
          assertThat(callers).allMatch(caller -> caller.computed() || caller.closed());
        });
  }

  @Test
  void p6_whoeverIsRefusedForAKnownWait_holdsNothing() {
    explore(
        () -> {
          Scene scene = new Scene(1, 1);
          scene.await(scene.callers("a", FAR, FAR)); // from now on a hash's time is known
          List<Caller> callers = scene.callers("bc", SOON, FAR);
          callers.addAll(scene.callers("d", FAR, FAR));
          scene.end(callers);
          assertThat(callers.get(2).computed()).isTrue();
        });
  }

  @Test
  void p7_anotherEngineMeetsCallers() {
    explore(
        () -> {
          Scene scene = new Scene(1, 1);
          scene.watch.bound = 2;
          List<Caller> callers = scene.callers("ab", FAR, FAR);
          scene.pool.use(new ModelEngine(2, scene.watch));
          callers.addAll(scene.callers("c", FAR, FAR));
          scene.pool.use(new ModelEngine(1, scene.watch));
          scene.watch.bound = 1;
          scene.end(callers);
          assertThat(callers).allMatch(Caller::computed);
        });
  }

  @Test
  void p8_whoeverIsRefusedAsTooSlow_holdsNothing() {
    explore(
        () -> {
          Scene scene = new Scene(1, 2);
          scene.await(scene.callers("a", FAR, FAR));
          List<Caller> callers = scene.callers("bc", FAR, SOON);
          callers.addAll(scene.callers("d", FAR, FAR));
          scene.end(callers);
          assertThat(callers.get(2).computed()).isTrue();
        });
  }

  /** A pool whose engine is watched. */
  private static final class Scene {
    final ModelEngine.Watch watch;
    final HashPool pool;

    Scene(int threads, int lanes) {
      watch = new ModelEngine.Watch(threads * lanes);
      pool =
          new HashPool(new ModelEngine(lanes, watch), threads, 4, true, () -> {}, PoolMeters.NONE);
    }

    /** One caller for each letter, its password. */
    List<Caller> callers(String passwords, Duration enqueueTimeout, Duration deadline) {
      List<Caller> callers = new ArrayList<>();
      for (char password : passwords.toCharArray()) {
        Caller caller =
            new Caller(this, (byte) password, some(enqueueTimeout), Deadline.in(some(deadline)));
        caller.thread.start();
        callers.add(caller);
      }
      return callers;
    }

    /** Any part of what is soon. */
    private static Duration some(Duration time) {
      return time == SOON
          ? Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, SOON.toNanos()))
          : time;
    }

    void await(List<Caller> callers) throws InterruptedException {
      for (Caller caller : callers) {
        caller.thread.join();
      }
    }

    /** What is true of every scene in the end. */
    void end(List<Caller> callers) throws InterruptedException {
      await(callers);
      pool.close();
      assertThat(pool.free()).as("permits free").isEqualTo(pool.size());
      assertThat(pool.waiting()).isZero();
      assertThat(watch.running).hasValue(0);
      assertThat(watch.violation).as("P1").isNull();
      for (Caller caller : callers) {
        assertThat(caller.answers).as("answers").isEqualTo(1);
        if (caller.refused()) {
          assertThat(watch.started).as("begun for nobody").doesNotContain(caller.password);
        }
      }
    }
  }

  /** One who asks for one digest. */
  private static final class Caller {
    final byte password;
    final Deadline deadline;
    final Thread thread;
    PoolAnswer answer;
    int answers;

    Caller(Scene scene, byte password, Duration enqueueTimeout, Deadline deadline) {
      this.password = password;
      this.deadline = deadline;
      this.thread =
          new Thread(
              () -> {
                try {
                  answer =
                      deadline.interruptibly(
                          () ->
                              scene.pool.digest(
                                  SETTING, new byte[] {password}, enqueueTimeout, deadline));
                  answers++;
                } catch (IllegalStateException sown) {
                  answers++;
                }
              });
    }

    @Override
    public String toString() {
      return (char) password + ": " + answer;
    }

    boolean computed() {
      return answer instanceof PoolAnswer.Computed;
    }

    boolean refused() {
      return answer instanceof PoolAnswer.Refused;
    }

    boolean closed() {
      return answer instanceof PoolAnswer.Refused(PoolAnswer.Reason reason, Duration waited)
          && reason == PoolAnswer.Reason.CLOSED;
    }
  }
}
