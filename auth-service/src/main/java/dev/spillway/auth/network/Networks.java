package dev.spillway.auth.network;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Optional;

/** A setting of addresses and networks: checked with the other settings, before anything starts. */
@Constraint(validatedBy = Networks.Check.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Networks {
  String message() default "has an entry that is neither an address nor a network";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  /** Reads them as they will be read. */
  final class Check implements ConstraintValidator<Networks, Optional<List<String>>> {
    @Override
    public boolean isValid(Optional<List<String>> networks, ConstraintValidatorContext context) {
      try {
        Addresses.of("", networks.orElse(List.of()));
        return true;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
  }
}
