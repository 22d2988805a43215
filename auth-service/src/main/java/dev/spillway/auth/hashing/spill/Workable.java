package dev.spillway.auth.hashing.spill;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Of settings that a spill can be made from: checked with the others, before anything starts. */
@Constraint(validatedBy = Workable.Check.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Workable {
  String message() default "cannot work";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  /** Makes all of it but connections. */
  final class Check implements ConstraintValidator<Workable, SpillConfig> {
    @Override
    public boolean isValid(SpillConfig config, ConstraintValidatorContext context) {
      try {
        SpillPlan.of(config);
        Sealing.of(config.sealing());
        return true;
      } catch (IllegalArgumentException e) {
        context.disableDefaultConstraintViolation();
        context
            .buildConstraintViolationWithTemplate("cannot work: " + e.getMessage())
            .addConstraintViolation();
        return false;
      }
    }
  }
}
