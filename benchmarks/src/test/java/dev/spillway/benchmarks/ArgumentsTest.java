package dev.spillway.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  @Test
  void options_comeInTheirOrder_withTheirValues() {
    Arguments arguments = new Arguments("--quick", "--cost", "10", "--rate", "0.5", "--out", "a/b");
    assertThat(arguments.next()).isEqualTo("--quick");
    assertThat(arguments.next()).isEqualTo("--cost");
    assertThat(arguments.number(4, 15)).isEqualTo(10);
    arguments.next();
    assertThat(arguments.decimal(0.001, 1)).isEqualTo(0.5);
    arguments.next();
    assertThat(arguments.result()).isEqualTo(Path.of("a/b"));
    assertThat(arguments.hasNext()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "16", "ten", "", "4294967306"})
  void whatIsNoNumberOfTheRange_isRefused(String text) {
    Arguments arguments = new Arguments("--cost", text);
    arguments.next();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> arguments.number(4, 15))
        .withMessage("--cost takes a number from 4 to 15");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "NaN", "Infinity", "much"})
  void whatIsNoDecimalOfTheRange_isRefused(String text) {
    Arguments arguments = new Arguments("--rate", text);
    arguments.next();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> arguments.decimal(0.001, 1e6))
        .withMessage("--rate takes a number from 0.001 to 1000000");
  }

  @Test
  void aValueThatIsMissing_isRefused() {
    Arguments arguments = new Arguments("--out");
    arguments.next();
    assertThatIllegalArgumentException()
        .isThrownBy(arguments::result)
        .withMessage("--out takes a value");
  }

  @Test
  void aBareNameOfAResult_liesWithTheOthers() {
    Arguments arguments = new Arguments("--out", "new.md");
    arguments.next();
    assertThat(arguments.result()).endsWithRaw(Path.of("benchmarks", "results", "new.md"));
  }
}
