package dev.spillway.auth.changes;

import dev.spillway.auth.hashing.Hashing;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Watches the file of changes, and puts in force what it says: as a whole, or not at all if any of
 * it cannot work.
 *
 * <p>A file and not a call, because the targets receive passwords: whoever can name one must be
 * able to change the deployment, not only hold an admin's token. And what a file says outlives a
 * restart, is the same for all instances, and has a history where deployments have theirs.
 *
 * <p>It is read and compared as a whole, whatever its time says. A file that was replaced or
 * switched by a symbolic link, as Kubernetes does, is found by its name again. One that is written
 * in place may be read when half of it is there, so what counts was the same at two readings.
 */
@Singleton
public final class Changes {
  private static final Logger LOG = Logger.getLogger(Changes.class);
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);
  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(10);

  private final Path file;
  private final Duration interval;
  private final ChangedConfig config;
  private final Hashing hashing;
  private final MeterRegistry meters;
  private final ScheduledExecutorService readings =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("changes").factory());

  private volatile FileState state;

  /** What has been decided on, and what was read last; touched by the one thread only. */
  private Reading decided;

  private Reading latest;

  Changes(ChangesConfig changes, ChangedConfig config, Hashing hashing, MeterRegistry meters) {
    this.file = Path.of(changes.file());
    this.interval = changes.interval();
    this.config = config;
    this.hashing = hashing;
    this.meters = meters;
    if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
      throw new IllegalArgumentException("spillway.changes.interval must be from 10ms to 10m");
    }
    Optional<byte[]> atStart = config.content();
    this.decided = atStart.map(Reading::of).orElse(Reading.NO_FILE);
    this.latest = decided;
    this.state = atStart.isPresent() ? new FileState.InForce(Instant.now()) : new FileState.None();
    Gauge.builder("spillway.changes.refused", () -> state instanceof FileState.Refused ? 1 : 0)
        .description("1 while the file of changes says what is not in force; an operator must act")
        .register(meters);
  }

  void start(@Observes StartupEvent event) {
    var _ =
        readings.scheduleWithFixedDelay(
            this::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  @PreDestroy
  void stop() {
    readings.shutdownNow();
  }

  /** The file watched. */
  public Path file() {
    return file;
  }

  /** Whether what it says is in force. */
  public FileState state() {
    return state;
  }

  /** One reading; on the one thread, or in a test. */
  void look() {
    Reading reading = read();
    boolean settled = reading.equals(latest);
    latest = reading;
    if (settled && !reading.equals(decided)) {
      decided = reading;
      decide(reading);
    }
  }

  private void decide(Reading reading) {
    try {
      hashing.use(config.with(file, reading.orElseThrow()));
      count("applied");
      state = new FileState.InForce(Instant.now());
      LOG.infof(
          "%s is in force: enqueue timeout %s, %s",
          file, hashing.settings().enqueueTimeout(), hashing.settings().spill().rules());
    } catch (RuntimeException e) {
      String message = Objects.requireNonNullElse(e.getMessage(), e.toString());
      String why = message.strip().replaceAll("\\s*\\R\\s*", " ");
      count("refused");
      state = new FileState.Refused(why, Instant.now());
      LOG.errorf("%s is refused, what was in force stays: %s", file, why);
    }
  }

  private void count(String outcome) {
    meters.counter("spillway.changes", "outcome", outcome).increment();
  }

  private Reading read() {
    try {
      return ChangesSource.read(file).map(Reading::of).orElse(Reading.NO_FILE);
    } catch (IOException e) {
      return new Reading(null, "it cannot be read: " + e);
    }
  }

  /** Either content, or why there is none. */
  private record Reading(byte[] content, String failure) {
    static final Reading NO_FILE =
        new Reading(null, "it is gone; an empty file says that nothing is set");

    static Reading of(byte[] content) {
      return new Reading(content, null);
    }

    byte[] orElseThrow() {
      if (content == null) {
        throw new IllegalArgumentException(failure);
      }
      return content;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Reading(byte[] itsContent, String itsFailure)
          && Arrays.equals(content, itsContent)
          && Objects.equals(failure, itsFailure);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(content);
    }
  }
}
