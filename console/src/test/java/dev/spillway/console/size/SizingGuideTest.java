package dev.spillway.console.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.console.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documents say what the program says, and the program what the measurements say. */
class SizingGuideTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```\n\\./spillway (size [^\n]*)\n```\n\n```\n(.*?)```\n", Pattern.DOTALL);

  @Test
  void workedExample_isWhatTheProgramPrints() throws IOException {
    Matcher example = EXAMPLE.matcher(doc("sizing.md"));
    assertThat(example.find()).isTrue();
    assertThat(Commands.run(example.group(1).split(" ")).out()).isEqualTo(example.group(2));
  }

  @Test
  void figures_areThoseOfTheKernelsTable() throws IOException {
    String measured = doc("performance.md");
    assertThat(cell(measured, "ours, one lane", 2)).isEqualTo(Measured.hashesPerSecond(1, 10));
    assertThat(cell(measured, "two lanes", 2)).isEqualTo(Measured.hashesPerSecond(2, 10));
    assertThat(cell(measured, "three lanes", 2)).isEqualTo(Measured.hashesPerSecond(3, 10));
    assertThat(cell(measured, "four lanes", 2)).isEqualTo(Measured.hashesPerSecond(4, 10));
    assertThat(cell(measured, "ours, one lane", 3)).isEqualTo(Measured.alone(10).toNanos() / 1e6);
  }

  private static double cell(String text, String row, int column) {
    Matcher line = Pattern.compile("^\\| " + row + " \\|(.*)\\|$", Pattern.MULTILINE).matcher(text);
    assertThat(line.find()).as(row).isTrue();
    return Double.parseDouble(line.group(1).split("\\|", -1)[column - 1].strip());
  }

  private static String doc(String name) throws IOException {
    return Files.readString(Path.of("..", "docs", name));
  }
}
