package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search for the most that a service takes, here of services that are numbers. */
class SteppingTest {
  private static final double STRIDE = 1.7;
  private static final double PRECISION = 1.1;

  @ParameterizedTest
  @CsvSource({"100, 2250", "2250, 2250", "9000, 2250", "23, 26", "1000000, 3", "1, 30000"})
  void findsTheLimit_fromAnyFirstGuess(double first, double limit) {
    Stepping stepping = new Stepping(first, STRIDE, PRECISION);
    int steps = 0;
    while (!stepping.found()) {
      double rate = stepping.next();
      stepping.tried(rate, rate <= limit);
      assertThat(++steps).isLessThan(60);
    }
    assertThat(stepping.held()).isBetween(limit / PRECISION, limit);
    assertThat(stepping.tooMuch()).isBetween(limit, limit * PRECISION);
  }

  @Test
  void goodFirstGuess_needsFiveSteps() {
    Stepping stepping = new Stepping(50, 1.25, 1.15);
    List<Double> rates = new ArrayList<>();
    while (!stepping.found()) {
      double rate = stepping.next();
      rates.add(rate);
      stepping.tried(rate, rate <= 57);
    }
    assertThat(rates).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void noNumberOfSteps_isTheLimit() {
    Stepping stepping = new Stepping(1, STRIDE, PRECISION);
    for (int i = 0; i < 100; i++) {
      stepping.tried(stepping.next(), true);
    }
    assertThat(stepping.held()).isGreaterThan(1e20);
    assertThat(stepping.found()).isFalse();
  }

  @Test
  void badMoment_isNotTheLimit() {
    Stepping stepping = new Stepping(100, STRIDE, PRECISION);
    stepping.tried(stepping.next(), true);
    stepping.tried(stepping.next(), false); // 170, which the service can take in truth
    while (!stepping.found()) {
      double rate = stepping.next();
      stepping.tried(rate, rate <= 1000);
    }
    assertThat(stepping.held()).isBetween(1000 / PRECISION, 1000.0);
  }

  @Test
  void whatHoldsNothing_endsIt() {
    Stepping stepping = new Stepping(40, STRIDE, PRECISION);
    while (!stepping.found()) {
      stepping.tried(stepping.next(), false);
    }
    assertThat(stepping.held()).isZero();
    assertThat(stepping.tooMuch()).isEqualTo(Stepping.LEAST);
  }
}
