package dev.spillway.hashing;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What came of asking for a hash.
 *
 * @param <T> what its digest was needed for: whether a password matches, or a new hash
 */
public sealed interface HashAnswer<T> {
  /** The hash was computed. */
  record Computed<T>(T value, Path path) implements HashAnswer<T> {}

  /**
   * There was no capacity in time. Nothing is known of the password.
   *
   * @param retryAfter time after which there may be capacity
   */
  record Shed<T>(Duration retryAfter) implements HashAnswer<T> {}

  /**
   * The client went away, and no answer is needed.
   *
   * @param begun where a hash had begun for it; empty if it waited for one
   */
  record Gone<T>(Optional<Path> begun) implements HashAnswer<T> {}

  /** Where a digest was computed. */
  enum Path {
    /** On the pool of this process. */
    LOCAL,
    /** By a function elsewhere. */
    SPILLED
  }

  /** The same answer with another value in place of a computed one. */
  default <R> HashAnswer<R> map(Function<? super T, ? extends R> change) {
    return switch (this) {
      case Computed<T>(T value, Path path) -> new Computed<>(change.apply(value), path);
      case Shed<T>(Duration retryAfter) -> new Shed<>(retryAfter);
      case Gone<T>(Optional<Path> begun) -> new Gone<>(begun);
    };
  }
}
