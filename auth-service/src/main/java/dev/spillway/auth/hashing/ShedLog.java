package dev.spillway.auth.hashing;

import dev.spillway.auth.schedule.Recurring;
import dev.spillway.hashing.PooledBcrypt;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/** One line a minute at most that says why logins were answered 503. */
@ApplicationScoped
class ShedLog {
  private static final Logger LOG = Logger.getLogger(HashPool.class);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final HashingConfig config;
  private final PooledBcrypt bcrypt;
  private final Counter shed;
  private final LongSupplier nanos;
  private double told;
  private Optional<Long> toldAtNanos = Optional.empty();
  private Optional<Recurring> looking = Optional.empty();

  @Inject
  ShedLog(HashingConfig config, PooledBcrypt bcrypt, MeterRegistry registry) {
    this(
        config,
        bcrypt,
        registry.get("spillway.hashing").tag("path", "shed").counter(),
        System::nanoTime);
  }

  ShedLog(HashingConfig config, PooledBcrypt bcrypt, Counter shed, LongSupplier nanos) {
    this.config = config;
    this.bcrypt = bcrypt;
    this.shed = shed;
    this.nanos = nanos;
  }

  void start(@Observes StartupEvent event) {
    looking = Optional.of(Recurring.every("shed-log", SECOND, () -> look().ifPresent(LOG::warn)));
  }

  void stop(@Observes ShutdownEvent event) {
    looking.ifPresent(Recurring::close);
  }

  /** What is to be said now: the first refusal at once, and later ones together after a minute. */
  Optional<String> look() {
    double refused = shed.count() - told;
    long now = nanos.getAsLong();
    if (refused <= 0 || toldAtNanos.filter(at -> now - at < MINUTE.toNanos()).isPresent()) {
      return Optional.empty();
    }
    told += refused;
    toldAtNanos = Optional.of(now);
    return Optional.of(describe(refused));
  }

  private String describe(double refused) {
    HashPool pool = bcrypt.pool();
    return String.format(
        Locale.ROOT,
        "Requests answered 503: %.0f. %d of %d lanes are busy and %d hashes wait, a hash of cost %d"
            + " takes %d ms here, and %s. The machine's load average is %.1f on %d processors",
        refused,
        pool.size() - pool.free(),
        pool.size(),
        pool.waiting(),
        config.cost(),
        pool.hashTime(config.cost()).toMillis(),
        bcrypt.spill().enabled()
            ? "%d calls of functions are outstanding".formatted(bcrypt.spill().outstanding())
            : "there is nowhere to spill",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
  }
}
