package dev.spillway.auth.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * H1: each way in which an attempt can end has a price, written in docs/security.md: a row for each
 * outcome and, where the client left, for each stage. A new one needs its row.
 */
class LoginOutcomeTest {
  private static final Path DOCUMENT = Path.of("../docs/security.md");
  private static final int COLUMNS = 7;

  @Test
  void h1_everyOutcome_hasARowWithAllPrices() throws IOException {
    List<String> expected = new ArrayList<>();
    for (Class<?> outcome : outcomes(LoginOutcome.class).toList()) {
      if (outcome == LoginOutcome.Gone.class) {
        Arrays.stream(LoginOutcome.Stage.values())
            .map(stage -> "Gone." + stage)
            .forEach(expected::add);
      } else {
        expected.add(outcome.getSimpleName());
      }
    }
    List<String[]> rows =
        Files.readAllLines(DOCUMENT).stream()
            .dropWhile(line -> !line.startsWith("| Outcome in the code"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
            .toList();
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(row)
                    .as("%s", (Object) row)
                    .hasSize(COLUMNS)
                    .allSatisfy(cell -> assertThat(cell.strip()).isNotEmpty()));
    assertThat(rows.stream().map(row -> row[0].strip().replace("`", "")).distinct())
        .containsExactlyInAnyOrderElementsOf(with(expected, "an exception"));
  }

  private static List<String> with(List<String> all, String one) {
    all.add(one);
    return all;
  }

  private static Stream<Class<?>> outcomes(Class<?> kind) {
    return kind.isSealed()
        ? Arrays.stream(kind.getPermittedSubclasses()).flatMap(LoginOutcomeTest::outcomes)
        : Stream.of(kind);
  }
}
