package dev.spillway.auth;

import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.pool.PoolConfig;
import dev.spillway.auth.hashing.spend.SpendConfig;
import dev.spillway.auth.sessions.SessionConfig;
import dev.spillway.auth.tokens.TokenConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Of settings that fit together: checked with each one's own bounds, before anything starts. */
@Constraint(validatedBy = Consistent.Check.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Consistent {
  String message() default "cannot work";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  /** The features whose settings depend on each other. */
  @ConfigMapping(prefix = "spillway")
  @Consistent
  interface Settings {
    PoolConfig pool();

    HashingConfig hashing();

    SpendConfig spend();

    TokenConfig tokens();

    SessionConfig sessions();
  }

  /** The rules. */
  final class Check implements ConstraintValidator<Consistent, Settings> {
    @Override
    public boolean isValid(Settings settings, ConstraintValidatorContext context) {
      try {
        hashing(settings.pool(), settings.hashing());
        require(
            settings.spend().perHour().compareTo(settings.spend().perDay()) <= 0,
            "spillway.spend.per-hour must not exceed spillway.spend.per-day");
        TokenConfig.check(settings.tokens());
        if (settings.sessions().enabled()) {
          sessions(settings.sessions(), settings.tokens());
        }
        return true;
      } catch (ConfigurationException e) {
        context.disableDefaultConstraintViolation();
        context
            .buildConstraintViolationWithTemplate("cannot work: " + e.getMessage())
            .addConstraintViolation();
        return false;
      }
    }

    private static void hashing(PoolConfig pool, HashingConfig hashing) {
      require(
          pool.enqueueTimeout().compareTo(pool.maxWait()) <= 0,
          "spillway.pool.max-wait must be at least spillway.pool.enqueue-timeout: it bounds the"
              + " whole time in the queue");
      require(
          pool.maxWait().compareTo(hashing.deadline()) < 0,
          "spillway.hashing.deadline must be longer than spillway.pool.max-wait: the hash needs"
              + " time after the wait");
      require(
          hashing.cost() <= hashing.maxCost(),
          "spillway.hashing.cost must not exceed spillway.hashing.max-cost: nobody could log in");
    }

    private static void sessions(SessionConfig sessions, TokenConfig tokens) {
      require(
          sessions.idle().compareTo(tokens.lifetime()) > 0,
          "spillway.sessions.idle must be longer than spillway.tokens.lifetime: a client comes back"
              + " when its token has ended");
      require(
          sessions.longest().compareTo(sessions.idle()) >= 0,
          "spillway.sessions.longest must not be shorter than spillway.sessions.idle");
    }

    private static void require(boolean holds, String otherwise) {
      if (!holds) {
        throw new ConfigurationException(otherwise);
      }
    }
  }
}
