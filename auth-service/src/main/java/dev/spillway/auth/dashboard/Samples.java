package dev.spillway.auth.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.smallrye.mutiny.Multi;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One sample a second, as JSON, for all who look.
 *
 * <ol>
 *   <li>V1: at most so many look at once.
 *   <li>V2: a sample is taken once, however many look, and none while nobody does.
 *   <li>V3: a viewer that is slow misses samples and holds up nobody.
 *   <li>V4: when the drain begins, every stream that is read ends within a second: none is worth a
 *       login's time.
 *   <li>V5: nobody is shown a sample who may not look any more; the place is free then, whether he
 *       reads or not.
 * </ol>
 */
@ApplicationScoped
class Samples {
  static final Duration EVERY = Duration.ofSeconds(1);

  /** Each costs a connection and a few kilobytes a second, and the open page needs no token. */
  static final int VIEWERS = 8;

  private Semaphore places;
  private Multi<String> shared;
  private volatile boolean draining;

  /** For the container's proxy. */
  Samples() {}

  @Inject
  Samples(Sampler sampler, ObjectMapper json) {
    this(VIEWERS, EVERY, () -> write(json, sampler.sample()));
  }

  Samples(int viewers, Duration every, Supplier<String> sample) {
    this.places = new Semaphore(viewers);
    this.shared =
        Multi.createFrom()
            .ticks()
            .every(every)
            .onOverflow()
            .drop()
            .map(tick -> sample.get())
            .broadcast()
            .withCancellationAfterLastSubscriberDeparture()
            .toAllSubscribers();
  }

  /**
   * Samples until the drain begins or the viewer may not look any more; empty if there is no place
   * for one viewer more.
   *
   * @param may asked before each sample
   */
  Optional<Multi<String>> look(BooleanSupplier may) {
    if (draining || !places.tryAcquire()) {
      return Optional.empty();
    }
    return Optional.of(
        shared
            .select()
            .first(sample -> !draining && may.getAsBoolean())
            .onTermination()
            .invoke(() -> places.release())
            // Last: what stands above goes on for a viewer that does not read.
            .onOverflow()
            .dropPreviousItems());
  }

  int freePlaces() {
    return places.availablePermits();
  }

  void drain(@Observes ShutdownDelayInitiatedEvent event) {
    drain();
  }

  void drain() {
    draining = true;
  }

  private static String write(ObjectMapper json, Sample sample) {
    try {
      return json.writeValueAsString(sample);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and names", e);
    }
  }
}
