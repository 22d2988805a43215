package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.http.Unavailable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

class SigningKeysTest {
  private static final Duration FRESH_FOR = Duration.ofMinutes(1);

  private final SettableClock clock = new SettableClock();
  private final AtomicInteger readings = new AtomicInteger();
  private volatile boolean away;
  private volatile boolean foreign;
  private final SigningKey old = generate();
  private final SigningKey young = generate();
  private volatile List<RingKey> stored =
      List.of(new RingKey(1, old, Instant.EPOCH, Instant.EPOCH, Instant.MAX));

  private KeyRing read() throws UnusableKeyException {
    readings.incrementAndGet();
    if (away) {
      throw new IllegalStateException("the database is away");
    }
    if (foreign) {
      throw new UnusableKeyException("not for us");
    }
    return new KeyRing(stored, clock.instant(), Duration.ZERO);
  }

  /** K1. */
  @Test
  void freshRing_isNotReadAgain() throws Exception {
    SigningKeys keys = new SigningKeys(this::read, clock, FRESH_FOR);
    clock.pass(FRESH_FOR);
    assertThat(keys.signing()).isEqualTo(old);
    assertThat(keys.isStale(keys.ring())).isFalse();
    assertThat(readings).hasValue(1);
  }

  /** K1: a machine that was suspended while the others rotated. */
  @Test
  void staleRing_isReadAgainBeforeAnythingIsSigned() throws Exception {
    SigningKeys keys = new SigningKeys(this::read, clock, FRESH_FOR);
    addYoung();
    clock.pass(FRESH_FOR.plusMillis(1));
    assertThat(keys.isStale(keys.ring())).isTrue();
    assertThat(keys.signing()).isEqualTo(young);
    assertThat(keys.isStale(keys.ring())).isFalse();
  }

  /** K1. */
  @Test
  void staleRing_isReadByOneOfManyCallers() throws Exception {
    SigningKeys keys = new SigningKeys(this::read, clock, FRESH_FOR);
    addYoung();
    clock.pass(FRESH_FOR.multipliedBy(2));
    int callers = 16;
    CyclicBarrier start = new CyclicBarrier(callers);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var signing =
          IntStream.range(0, callers)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            start.await();
                            return keys.signing();
                          }))
              .toList();
      for (var one : signing) {
        assertThat(one.get()).isEqualTo(young);
      }
    }
    assertThat(readings).hasValue(2);
  }

  /** K1. */
  @Test
  void staleRingThatCannotBeReadAgain_signsNothingAndStillVerifies() throws Exception {
    SigningKeys keys = new SigningKeys(this::read, clock, FRESH_FOR);
    clock.pass(FRESH_FOR.plusMillis(1));
    assertThat(new KeysCheck(keys).call().getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
    away = true;
    assertThatThrownBy(keys::signing).hasMessage("the database is away");
    away = false;
    foreign = true;
    assertThatThrownBy(keys::signing).isInstanceOf(Unavailable.class);
    assertThat(keys.ring().find(old.kid())).isPresent();
    foreign = false;
    assertThat(keys.signing()).isEqualTo(old);
    assertThat(new KeysCheck(keys).call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
  }

  /** K1. */
  @Test
  void clockThatWasSetBack_makesTheRingStale() throws Exception {
    SigningKeys keys = new SigningKeys(this::read, clock, FRESH_FOR);
    addYoung();
    clock.pass(Duration.ofDays(-1));
    assertThat(keys.signing()).isEqualTo(old);
    assertThat(readings).hasValue(2);
  }

  /** K2: between two readings an instance moves on by the clock. */
  @Test
  void successor_signsOnTimeWithoutAReading() throws Exception {
    stored =
        List.of(
            stored.getFirst(),
            new RingKey(2, young, clock.instant(), clock.instant().plusSeconds(30), Instant.MAX));
    SigningKeys keys = new SigningKeys(this::read, clock, FRESH_FOR);
    clock.pass(Duration.ofSeconds(30).minusMillis(1));
    assertThat(keys.signing()).isEqualTo(old);
    clock.pass(Duration.ofMillis(1));
    assertThat(keys.signing()).isEqualTo(young);
    assertThat(readings).hasValue(1);
  }

  private void addYoung() {
    stored =
        List.of(
            stored.getFirst(),
            new RingKey(2, young, clock.instant(), clock.instant(), Instant.MAX));
  }

  static SigningKey generate() {
    try {
      return SigningKey.proven(SigningAlgorithm.ES256.generate(), SigningAlgorithm.ES256);
    } catch (UnusableKeyException e) {
      throw new AssertionError(e);
    }
  }

  private static final class SettableClock extends Clock {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
