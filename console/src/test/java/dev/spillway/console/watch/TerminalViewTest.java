package dev.spillway.console.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is written to a terminal of JLine's making, 80 columns and 24 rows. */
class TerminalViewTest {
  private static final String ESCAPE = "\u001b[";
  private static final Pattern UP = Pattern.compile("\u001b\\[(\\d+)A");

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private Terminal terminal;

  @BeforeEach
  void open() throws IOException {
    terminal =
        new LineDisciplineTerminal("test", "xterm-256color", written, StandardCharsets.UTF_8);
    terminal.setSize(new Size(80, 24));
  }

  @Test
  void nextPicture_beginsWhereTheLastOneDid() {
    try (TerminalView view = view(true)) {
      view.show(PanelTest.burst());
      String first = drawn();
      assertThat(first).contains("8 of 8 permits").doesNotContainPattern(UP);
      view.show(PanelTest.burst());
      String second = drawn();
      Matcher up = UP.matcher(second);
      assertThat(up.find()).isTrue();
      assertThat(Integer.parseInt(up.group(1))).isEqualTo(lines(first)).isEqualTo(lines(second));
      assertThat(second).startsWith("\r").contains("8 of 8 permits");
    }
  }

  /** It is shorter: the rest of the state must not stand below it. */
  @Test
  void silence_takesTheStatesPlace() {
    try (TerminalView view = view(true)) {
      view.show(PanelTest.burst());
      drawn();
      view.show(new Reading.Silent(Instant.EPOCH, "nothing listens there"));
      assertThat(drawn()).contains("nothing listens there").endsWith(ESCAPE + "J");
    }
  }

  @Test
  void noColour_isWritten_whereNoneIsWanted() throws IOException {
    try (TerminalView view = view(true)) {
      view.show(PanelTest.burst());
      assertThat(drawn()).contains("cooling").contains(ESCAPE + "31m");
    }
    open();
    try (TerminalView view = view(false)) {
      view.show(PanelTest.burst());
      assertThat(drawn()).contains("cooling").doesNotContainPattern("\u001b\\[[\\d;]*m");
    }
  }

  @Test
  void whatDoesNotFit_isCounted() {
    terminal.setSize(new Size(80, 6));
    try (TerminalView view = view(true)) {
      view.show(PanelTest.burst());
      String picture = drawn();
      assertThat(picture).contains("lines more").doesNotContain("cooling");
      assertThat(lines(picture)).isEqualTo(5);
    }
  }

  @Test
  void terminalWithoutASize_isTakenForAUsualOne() {
    terminal.setSize(new Size(0, 0));
    try (TerminalView view = view(true)) {
      view.show(PanelTest.burst());
      assertThat(lines(drawn())).isEqualTo(12);
    }
  }

  @Test
  void resized_startsOnACleanScreen() {
    try (TerminalView view = view(true)) {
      view.show(PanelTest.burst());
      assertThat(drawn()).doesNotContain(ESCAPE + "2J");
      terminal.setSize(new Size(46, 40));
      view.show(PanelTest.burst());
      assertThat(drawn()).startsWith(ESCAPE + "H" + ESCAPE + "2J").doesNotContainPattern(UP);
    }
  }

  private TerminalView view(boolean colours) {
    return new TerminalView(terminal, new Panel(PanelTest.SERVICE, ZoneOffset.UTC, false), colours);
  }

  private String drawn() {
    terminal.flush();
    String text = written.toString(StandardCharsets.UTF_8);
    written.reset();
    return text;
  }

  private static int lines(String picture) {
    return (int) picture.chars().filter(c -> c == '\n').count();
  }
}
