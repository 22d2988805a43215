package dev.spillway.auth.hashing.pool;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Once a second: reads the container's CPU quota, says what this process may take, and measures
 * what share of the CPU they get.
 */
@ApplicationScoped
public class CpuWatch {
  private static final Logger LOG = Logger.getLogger(HashPool.class);
  private static final Path SELF = Path.of("/proc/self");

  /** A share is measured over this many seconds. */
  private static final int SPAN = 5;

  private final HashCpu cpu;
  private final Optional<ControlGroup> group = ControlGroup.of(SELF);
  private final int processors = ControlGroup.processors(SELF);
  private final CpuLog log = new CpuLog(LOG::warn);
  private final Deque<CpuSample> samples = new ArrayDeque<>();
  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("hash-cpu").factory());

  private volatile ControlGroup.Quota quota;
  private volatile CpuShare share = CpuShare.FULL;

  CpuWatch(HashCpu cpu, MeterRegistry registry) {
    this.cpu = cpu;
    look();
    Gauge.builder("spillway.pool.cpu.share", this, watch -> watch.share.share())
        .description("CPU time of hash threads, as a part of what they have work for")
        .register(registry);
    for (CpuShare.Cause cause : CpuShare.Cause.values()) {
      if (cause != CpuShare.Cause.NONE) {
        Gauge.builder(
                "spillway.pool.cpu.short", this, watch -> watch.share.cause() == cause ? 1 : 0)
            .description("Whether hash threads get clearly less CPU time than they want, and why")
            .tag("cause", cause.name().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
    FunctionCounter.builder("spillway.pool.cpu.throttled", this, watch -> watch.quota.throttled())
        .description("Periods in which the container used up its CPU quota")
        .register(registry);
  }

  void start(@Observes StartupEvent event) {
    scheduler.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  void stop(@Observes ShutdownEvent event) {
    scheduler.shutdownNow();
  }

  /** As of the last five seconds. */
  public CpuShare share() {
    return share;
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
