package dev.spillway.hashing.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hash threads on clocks that a test moves. */
class HashCpuTest {
  private static final long CHUNK = Duration.ofMillis(1).toNanos();
  private static final long PAUSE = Duration.ofMillis(2).toNanos();

  /** Not zero: nanoTime may be anything, and wraps. */
  private long now = Long.MAX_VALUE - Duration.ofMillis(50).toNanos();

  private Worker running;

  /** Cores that the rest of the process takes, and what it has taken. */
  private double rest;

  private long restCpu;
  private long hashCpu;

  private final HashCpu cpu =
      new HashCpu(() -> now, () -> running.cpu, Optional.of(() -> hashCpu + restCpu), this::pause);

  private void pause(long nanos) {
    running.wakesAt = now + nanos;
    running.pauses.add(nanos);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.25, 0",
    "1, 0.5, 0.2",
    "1, 0.95, 0.3",
    "2, 0.5, 0",
    "2, 1, 0.4",
    "2, 1.9, 0.1",
    "8, 3, 1"
  })
  void c1_processAsAWhole_takesTheAllowedCoresAndNoMore(int threads, double cores, double others) {
    rest = others;
    cpu.allow(cores);
    long hashing = work(workers(threads), Duration.ofSeconds(1));
    assertThat(hashing + restCpu)
        .isBetween(
            (long) (cores * Duration.ofMillis(950).toNanos()),
            (long) (cores * (Duration.ofSeconds(1).toNanos() + PAUSE)) + 2 * threads * CHUNK);
  }

  @Test
  void c1_burstOfTheRest_isGivenWayTo() {
    cpu.allow(1);
    List<Worker> workers = workers(1);
    work(workers, Duration.ofMillis(100));
    rest = 0.95;
    assertThat(resume(workers, Duration.ofMillis(100))).isLessThan(20 * CHUNK);
    rest = 0;
    assertThat(resume(workers, Duration.ofMillis(100)))
        .as("what was taken together with the burst is paid off")
        .isGreaterThanOrEqualTo(90 * CHUNK);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.5, 2", "1, 1, 1", "2, 1.5, 2"})
  void c5_restThatTakesAllForLong_leavesHashingHalf(int threads, double cores, double others) {
    rest = others;
    cpu.allow(cores);
    List<Worker> workers = workers(threads);
    work(workers, Duration.ofSeconds(2));
    assertThat(resume(workers, Duration.ofSeconds(10)) / 10)
        .isBetween(
            (long) (0.45 * cores * Duration.ofSeconds(1).toNanos()),
            (long) (0.55 * cores * Duration.ofSeconds(1).toNanos()));
  }

  @Test
  void c1_withoutAClockOfTheProcess_hashThreadsKeepWithinTheAllowedCores() {
    HashCpu alone = new HashCpu(() -> now, () -> running.cpu, Optional.empty(), this::pause);
    alone.allow(0.5);
    Worker worker = new Worker(alone.meter());
    assertThat(work(List.of(worker), Duration.ofSeconds(1)))
        .isBetween(Duration.ofMillis(475).toNanos(), Duration.ofMillis(503).toNanos());
  }

  @Test
  void c2_withoutALimit_nobodyPauses() {
    List<Worker> workers = workers(2);
    assertThat(work(workers, Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(2).toNanos());
    assertThat(workers).allSatisfy(worker -> assertThat(worker.pauses).isEmpty());
    assertThat(cpu.paused()).isZero();
  }

  @Test
  void c2_workBeforeTheLimit_isNotChargedLater() {
    List<Worker> workers = workers(2);
    work(workers, Duration.ofSeconds(10));
    cpu.allow(1);
    assertThat(resume(workers, Duration.ofSeconds(1)))
        .isGreaterThan(Duration.ofMillis(950).toNanos());
  }

  @Test
  void c2_limitThatIsLifted_isNoLimit() {
    cpu.allow(0.5);
    List<Worker> workers = workers(1);
    work(workers, Duration.ofSeconds(1));
    cpu.allow(Double.POSITIVE_INFINITY);
    Duration paused = cpu.paused();
    workers.getFirst().wakesAt = now;
    assertThat(work(workers, Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(cpu.paused()).isEqualTo(paused);
  }

  @Test
  void c3_whatWasNotTaken_isNotSavedUp() {
    cpu.allow(0.5);
    now += Duration.ofHours(1).toNanos();
    assertThat(work(workers(1), Duration.ofMillis(100)))
        .isLessThanOrEqualTo((long) (0.5 * (Duration.ofMillis(100).toNanos() + PAUSE)) + 2 * CHUNK);
  }

  @Test
  void c4_pausesAndLostTime_areWantedAndNotHad() {
    List<Worker> workers = workers(1);
    Worker worker = workers.getFirst();
    running = worker;
    worker.meter.begin();
    now += 4 * CHUNK; // of which others took three
    worker.cpu += CHUNK;
    worker.meter.end();
    assertThat(cpu.had()).isEqualTo(Duration.ofNanos(CHUNK));
    assertThat(cpu.wanted()).isEqualTo(Duration.ofNanos(4 * CHUNK));
    assertThat(cpu.paused()).isZero();
  }

  @Test
  void c4_timeWithoutWork_isNotWanted() {
    Worker worker = workers(1).getFirst();
    running = worker;
    worker.meter.begin();
    worker.meter.end();
    now += Duration.ofSeconds(1).toNanos();
    worker.meter.begin();
    worker.meter.end();
    assertThat(cpu.wanted()).isZero();
  }

  private List<Worker> workers(int threads) {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(new Worker(cpu.meter()));
    }
    return workers;
  }

  /**
   * Each has a core of its own and works in chunks, until it pauses; returns the CPU time taken.
   */
  private long work(List<Worker> workers, Duration span) {
    for (Worker worker : workers) {
      running = worker;
      worker.meter.begin();
      worker.wakesAt = now;
    }
    return resume(workers, span);
  }

  private long resume(List<Worker> workers, Duration span) {
    long before = hashCpu;
    long end = now + span.toNanos();
    while (now - end < 0) {
      long from = now;
      now += CHUNK;
      restCpu += (long) (rest * CHUNK);
      for (Worker worker : workers) {
        if (worker.wakesAt - from <= 0) {
          running = worker;
          worker.cpu += CHUNK;
          hashCpu += CHUNK;
          worker.meter.lap();
        }
      }
    }
    return hashCpu - before;
  }

  private static final class Worker {
    private final HashCpu.Meter meter;
    private final List<Long> pauses = new ArrayList<>();
    private long cpu;
    private long wakesAt;

    private Worker(HashCpu.Meter meter) {
      this.meter = meter;
    }
  }
}
