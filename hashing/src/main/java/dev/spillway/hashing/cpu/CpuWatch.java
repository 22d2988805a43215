package dev.spillway.hashing.cpu;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Once a second: reads the container's CPU quota, says what this process may take, and measures
 * what share of the CPU they get.
 */
public final class CpuWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.spillway.hashing");
  private static final Path SELF = Path.of("/proc/self");

  /** A share is measured over this many seconds. */
  private static final int SPAN = 5;

  private final HashCpu cpu;
  private final Optional<ControlGroup> group = ControlGroup.of(SELF);
  private final int processors = ControlGroup.processors(SELF);
  private final CpuLog log = new CpuLog(text -> LOG.log(System.Logger.Level.WARNING, text));
  private final Deque<CpuSample> samples = new ArrayDeque<>();
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("hash-cpu").factory());

  private volatile ControlGroup.Quota quota;
  private volatile CpuShare share = CpuShare.FULL;

  /**
   * Begins to watch.
   *
   * @param cpu what the hash threads report to
   */
  public CpuWatch(HashCpu cpu) {
    this.cpu = cpu;
    look();
    var _ = scheduler.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  /** Ends it. What hash threads may take stays as it is. */
  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  /** As of the last five seconds. */
  public CpuShare share() {
    return share;
  }

  /** Periods in which the container used up its CPU quota, since its group began. */
  public long throttled() {
    return quota.throttled();
  }

  private void look() {
    quota = group.map(ControlGroup::quota).orElse(ControlGroup.Quota.NONE);
    CpuSample now = CpuSample.take(cpu, quota);
    samples.addLast(now);
    CpuSample then = samples.size() > SPAN ? samples.removeFirst() : samples.getFirst();
    cpu.allow(quota.usable(processors));
    share = CpuShare.between(then, now, processors);
    log.say(now, share, quota);
  }
}
