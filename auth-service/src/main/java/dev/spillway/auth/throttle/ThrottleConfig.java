package dev.spillway.auth.throttle;

import dev.spillway.auth.network.Networks;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How often one may guess. The defaults are argued in docs/security.md. */
@ConfigMapping(prefix = "spillway.throttle")
public interface ThrottleConfig {
  /** Wrong guesses on one account from one network in a window. */
  @Min(1)
  @Max(1_000_000)
  @WithDefault("5")
  int accountLimit();

  /** Wrong guesses from one network on any accounts in a window. */
  @Min(1)
  @Max(1_000_000)
  @WithDefault("100")
  int networkLimit();

  /** Wrong guesses on one account from any networks in a window. */
  @Min(1)
  @Max(1_000_000)
  @WithDefault("50")
  int guardLimit();

  /** How long wrong guesses count, from the first of them: 1 s to 24 h. */
  @DurationMin(seconds = 1)
  @DurationMax(days = 1)
  @WithDefault("10m")
  Duration window();

  /** Addresses and networks that are neither throttled nor counted. */
  @Networks
  Optional<List<String>> exempt();
}
