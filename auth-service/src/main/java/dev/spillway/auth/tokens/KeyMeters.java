package dev.spillway.auth.tokens;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Meters {@code spillway_tokens_*}: the keys, their age, and when this instance last read them. */
final class KeyMeters {
  private final MeterRegistry registry;

  KeyMeters(MeterRegistry registry, SigningKeys keys) {
    this.registry = registry;
    for (KeyState state : KeyState.values()) {
      Gauge.builder("spillway.tokens.keys", keys, it -> count(it, state))
          .description("Published signing keys")
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder("spillway.tokens.key.age", keys, KeyMeters::ageSeconds)
        .description("Since the key that signs was published")
        .baseUnit("seconds")
        .register(registry);
    Gauge.builder("spillway.tokens.keys.read.age", keys, KeyMeters::readAgeSeconds)
        .description("Since this instance last read the keys")
        .baseUnit("seconds")
        .register(registry);
    for (boolean done : new boolean[] {true, false}) {
      reads(done);
    }
    for (String reason : new String[] {"command", "schedule", "algorithm"}) {
      rotations(reason);
    }
  }

  void read(boolean done) {
    reads(done).increment();
  }

  void rotated(String reason) {
    rotations(reason).increment();
  }

  private Counter reads(boolean done) {
    return Counter.builder("spillway.tokens.keys.read")
        .description("Readings of the signing keys, at their interval")
        .tag("outcome", done ? "done" : "failed")
        .register(registry);
  }

  private Counter rotations(String reason) {
    return Counter.builder("spillway.tokens.rotation")
        .description("Key rotations begun by this instance")
        .tag("reason", reason)
        .register(registry);
  }

  private static double count(SigningKeys keys, KeyState state) {
    KeyRing ring = keys.ring();
    Instant now = keys.now();
    return ring.keys().stream().filter(key -> ring.state(key, now) == state).count();
  }

  private static double ageSeconds(SigningKeys keys) {
    KeyRing ring = keys.ring();
    Instant published = ring.signing(keys.now()).publishedAt();
    return published.equals(Instant.MIN)
        ? Double.NaN
        : Duration.between(published, keys.now().plus(ring.ahead())).toSeconds();
  }

  /** Files are read once, and that is right. */
  private static double readAgeSeconds(SigningKeys keys) {
    if (keys.ring().newest().publishedAt().equals(Instant.MIN)) {
      return Double.NaN;
    }
    return Duration.between(keys.ring().readAt(), keys.now()).toSeconds();
  }
}
