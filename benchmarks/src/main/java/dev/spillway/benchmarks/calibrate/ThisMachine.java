package dev.spillway.benchmarks.calibrate;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The machine this runs on: every core, every lane, as the pool uses them. */
final class ThisMachine implements Machine {
  private static final Duration AT_LEAST = Duration.ofMillis(1500);

  /**
   * Hashes a lane runs in one measurement, at least: the last one of each runs beside idle lanes.
   */
  private static final int ROUNDS = 4;

  private final DigestEngine engine;
  private final int threads;

  ThisMachine(DigestEngine engine, int threads) {
    this.engine = engine;
    this.threads = threads;
  }

  /** Lets the kernels be compiled: a cold JVM would be measured as a slow machine. */
  void warmUp() {
    for (int i = 0; i < 3; i++) {
      measure(8);
    }
  }

  @Override
  public Figures measure(int cost) {
    BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, cost, new SecureRandom());
    List<Long> alone = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      long start = System.nanoTime();
      engine.digest(setting, new byte[] {'a'});
      alone.add(System.nanoTime() - start);
    }
    Collections.sort(alone);
    long oneNanos = alone.get(1);

    int lanes = threads * engine.lanes();
    int jobs = (int) Math.max((long) ROUNDS * lanes, lanes * AT_LEAST.toNanos() / oneNanos / 2);
    Queue<Sample> backlog = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < jobs; i++) {
      backlog.add(new Sample(setting));
    }
    List<Sample> all = List.copyOf(backlog);
    long start = System.nanoTime();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofPlatform().start(() -> work(backlog)));
    }
    for (Thread worker : workers) {
      join(worker);
    }
    long wallNanos = System.nanoTime() - start;
    List<Long> times = new ArrayList<>(all.stream().map(sample -> sample.nanos).toList());
    Collections.sort(times);
    return new Figures(
        cost,
        Duration.ofNanos(oneNanos),
        Duration.ofNanos(times.get((int) (0.9 * (times.size() - 1)))),
        jobs * 1e9 / wallNanos);
  }

  private void work(Queue<Sample> samples) {
    Backlog backlog =
        () -> {
          Sample next = samples.poll();
          if (next != null) {
            next.startNanos = System.nanoTime();
          }
          return next;
        };
    for (DigestJob first = backlog.poll(); first != null; first = backlog.poll()) {
      engine.run(first, backlog);
    }
  }

  private static void join(Thread worker) {
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  private static final class Sample implements DigestJob {
    private final BcryptSetting setting;
    private final byte[] password = {'p'};
    private long startNanos;
    private volatile long nanos;

    Sample(BcryptSetting setting) {
      this.setting = setting;
    }

    @Override
    public BcryptSetting setting() {
      return setting;
    }

    @Override
    public byte[] password() {
      return password;
    }

    @Override
    public boolean abandoned() {
      return false;
    }

    @Override
    public void end(DigestResult result) {
      nanos = System.nanoTime() - startNanos;
    }
  }
}
