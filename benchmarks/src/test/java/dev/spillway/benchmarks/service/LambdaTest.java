package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.benchmarks.service.Lambda.Admission;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The scaling rules that the simulated function keeps. */
class LambdaTest {
  private static final Duration COLD = Duration.ofMillis(300);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @Test
  void newEnvironment_startsCold_andIsWarmAfterwards() {
    Lambda lambda = new Lambda(10, COLD, Duration.ofMinutes(5), 0);
    assertThat(lambda.admit(0)).isEqualTo(new Admission.Runs(COLD));
    lambda.done(SECOND);
    assertThat(lambda.admit(SECOND)).isEqualTo(new Admission.Runs(Duration.ZERO));
    assertThat(lambda.coldStarts()).isEqualTo(1);
  }

  @Test
  void busyEnvironments_areNotShared() {
    Lambda lambda = new Lambda(10, COLD, Duration.ofMinutes(5), 0);
    lambda.admit(0);
    assertThat(lambda.admit(1)).isEqualTo(new Admission.Runs(COLD));
    assertThat(lambda.environments()).isEqualTo(2);
  }

  @Test
  void reservedConcurrency_isTheLimit() {
    Lambda lambda = new Lambda(2, COLD, Duration.ofMinutes(5), 0);
    lambda.admit(0);
    lambda.admit(0);
    assertThat(lambda.admit(0))
        .isEqualTo(new Admission.Throttled("ReservedFunctionConcurrentInvocationLimitExceeded"));
    lambda.done(SECOND);
    assertThat(lambda.admit(SECOND)).isEqualTo(new Admission.Runs(Duration.ZERO));
    assertThat(lambda.throttled()).isEqualTo(1);
  }

  @Test
  void aThousandEnvironments_inTenSeconds_andAHundredMoreEachSecond() {
    Lambda lambda = new Lambda(5000, COLD, Duration.ofMinutes(5), 0);
    for (int i = 0; i < 1000; i++) {
      assertThat(lambda.admit(0)).isInstanceOf(Admission.Runs.class);
    }
    assertThat(lambda.admit(0))
        .isEqualTo(new Admission.Throttled("ConcurrentInvocationLimitExceeded"));
    for (int i = 0; i < 100; i++) {
      assertThat(lambda.admit(SECOND)).isInstanceOf(Admission.Runs.class);
    }
    assertThat(lambda.admit(SECOND)).isInstanceOf(Admission.Throttled.class);
  }

  @Test
  void unusedGain_isNotCarriedOver() {
    Lambda lambda = new Lambda(5000, COLD, Duration.ofMinutes(5), 0);
    long later = 3600 * SECOND;
    for (int i = 0; i < 1000; i++) {
      assertThat(lambda.admit(later)).isInstanceOf(Admission.Runs.class);
    }
    assertThat(lambda.admit(later)).isInstanceOf(Admission.Throttled.class);
  }

  @Test
  void idleEnvironment_ends() {
    Lambda lambda = new Lambda(10, COLD, Duration.ofSeconds(5), 0);
    lambda.admit(0);
    lambda.done(0);
    assertThat(lambda.admit(6 * SECOND)).isEqualTo(new Admission.Runs(COLD));
    assertThat(lambda.environments()).isEqualTo(1);
  }
}
