package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.locallambda.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of docs/failure-modes.md says what {@link FaultContract} has seen happen. */
class FailureModesTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final int FAULT = 1;
  private static final int CLIENT = 3;
  private static final int REASON = 4;
  private static final int ALARM = 6;

  @ParameterizedTest
  @EnumSource
  void everyFault_hasARow(Fault fault) throws IOException {
    List<String[]> rows =
        rows().stream().filter(row -> row[FAULT].contains("`" + fault.label() + "`")).toList();
    assertThat(rows).hasSize(1);
    Expected expected = Expected.of(fault);
    assertThat(rows.getFirst()[CLIENT])
        .contains(String.valueOf(expected.right()))
        .matches(client -> !expected.orShed() || client.contains("503"));
    assertThat(rows.getFirst()[REASON])
        .isEqualTo(fault == Fault.BAD_DAY ? " any " : " `" + expected.outcome() + "` ");
  }

  @Test
  void everyAlarm_isExplained() throws IOException {
    String explained = Files.readString(DOCS.resolve("operations.md")) + section("### With Prom");
    Set<String> named =
        rows().stream()
            .flatMap(row -> Pattern.compile("`(\\w+)`").matcher(row[ALARM]).results())
            .map(alarm -> alarm.group(1))
            .collect(Collectors.toSet());
    assertThat(named).contains("SpillMisconfigured").allMatch(name -> explained.contains(name));
  }

  /** Metrics that the section on the function names. */
  static Set<String> metrics() throws IOException {
    return Pattern.compile("spillway_[a-z_]+")
        .matcher(section("## The function"))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toSet());
  }

  private static List<String[]> rows() throws IOException {
    return section("## The function")
        .lines()
        .takeWhile(line -> !line.startsWith("### "))
        .filter(line -> line.startsWith("| "))
        .map(line -> line.split("\\|", -1))
        .toList();
  }

  private static String section(String title) throws IOException {
    String text = Files.readString(DOCS.resolve("failure-modes.md"));
    return text.substring(text.indexOf("\n" + title));
  }
}
