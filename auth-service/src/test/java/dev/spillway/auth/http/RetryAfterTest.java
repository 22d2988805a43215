package dev.spillway.auth.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 1, 2",
    "PT-1S, 1, 2",
    "PT0.000000001S, 1, 2",
    "PT1S, 1, 2",
    "PT1.000000001S, 2, 4",
    "PT3S, 3, 5",
    "PT4S, 4, 7",
    "PT30S, 30, 46",
    "PT10M, 600, 901",
  })
  void seconds_areRoundedUp_andSpreadOverHalfAsManyAndOne(
      Duration duration, long least, long most) {
    assertThat(RetryAfter.seconds(duration)).isEqualTo(least);
    Random random = new Random(7);
    List<Long> told =
        random
            .longs(20_000)
            .mapToObj(any -> RetryAfter.spread(duration, random))
            .distinct()
            .toList();
    assertThat(told).hasSize((int) (most - least + 1));
    assertThat(told).allMatch(seconds -> seconds >= least && seconds <= most);
  }
}
