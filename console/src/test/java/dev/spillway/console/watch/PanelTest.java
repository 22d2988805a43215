package dev.spillway.console.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.console.metrics.Recorded;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What recorded metrics look like, held against what a person has read and found right. */
class PanelTest {
  static final URI SERVICE = URI.create("http://localhost:8080");
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  static ServiceState burst() {
    History history = new History();
    history.add(NOON.minusSeconds(1), Recorded.scrape("before"));
    return history.add(NOON, Recorded.scrape("burst")).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 46})
  void panel_isAsItWasFoundRight(int width) {
    List<AttributedString> lines = panel(false).render(burst(), width);
    assertThat(plain(lines)).isEqualTo(golden("panel-" + width + ".txt"));
  }

  @Test
  void theDocumentsPicture_isTheSame() throws IOException {
    assertThat(Files.readString(Path.of("..", "docs", "monitoring.md")))
        .contains("```\n" + golden("panel-80.txt") + "```\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 46, 80, 200})
  void noLine_isWiderThanTheTerminal(int width) {
    assertThat(panel(true).render(burst(), width))
        .allSatisfy(line -> assertThat(line.columnLength()).isLessThanOrEqualTo(width));
  }

  @Test
  void blocks_areShownWhereTheTerminalHasThem() {
    assertThat(plain(panel(true).render(burst(), 80)))
        .contains("\u2588\u2588\u2588\u2588   8/8   full")
        .contains("\u2591\u2591\u2591   0/50   cooling")
        .doesNotContain("#");
  }

  /** Red is what needs somebody; the word says it too. */
  @Test
  void colours_areOfTheState() {
    String ansi =
        panel(false).render(burst(), 80).stream()
            .map(line -> line.toAnsi(256, AttributedString.ForceMode.None))
            .reduce("", String::concat);
    assertThat(ansi).contains("\u001b[31mcooling").contains("\u001b[33mfull");
    assertThat(ansi).doesNotContain("\u001b[31mdenied");
  }

  @Test
  void line_holdsTheSameFigures() {
    assertThat(panel(false).line(burst()) + "\n").isEqualTo(golden("line.txt"));
  }

  @Test
  void json_holdsTheSameFigures() throws IOException {
    ObjectMapper json = new ObjectMapper();
    String written = new JsonState(SERVICE).of(burst()).toString();
    assertThat(json.readTree(written)).isEqualTo(json.readTree(golden("state.json")));
  }

  @Test
  void silence_saysWhyAndSinceWhen() {
    Reading.Silent silent = new Reading.Silent(NOON, "nothing listens there");
    assertThat(plain(panel(false).render(silent, NOON.minusSeconds(5), 80)))
        .contains("http://localhost:8080")
        .contains("no service: nothing listens there")
        .contains("trying again since 11:59:55");
    assertThat(new JsonState(SERVICE).of(silent).toString())
        .contains("\"answers\":false", "\"why\":\"nothing listens there\"");
  }

  @Test
  void withoutTargets_itSaysSo() {
    ServiceState state = burst();
    ServiceState alone =
        new ServiceState(
            state.at(),
            state.up(),
            state.pool(),
            state.logins(),
            state.hashes(),
            state.latency(),
            state.window(),
            new ServiceState.Spill(0, List.of()));
    assertThat(plain(panel(false).render(alone, 80))).contains("no targets");
    assertThat(panel(false).line(alone)).doesNotContain("pending");
  }

  private static Panel panel(boolean unicode) {
    return new Panel(SERVICE, ZoneOffset.UTC, unicode);
  }

  private static String plain(List<AttributedString> lines) {
    return lines.stream().map(line -> line + "\n").reduce("", String::concat);
  }

  private static String golden(String name) {
    try (InputStream file = PanelTest.class.getResourceAsStream("/golden/" + name)) {
      return file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
