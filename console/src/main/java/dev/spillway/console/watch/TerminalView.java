package dev.spillway.console.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.InfoCmp.Capability;

/**
 * View that redraws in place, below earlier output, and leaves the last state on the screen.
 *
 * <p>Not with JLine's {@code Display}: that one asks the terminal what it can do and reads its
 * answers, which a plain one does not give.
 */
final class TerminalView implements View {
  private static final Size USUAL = new Size(80, 24);

  private final Terminal terminal;
  private final Panel panel;
  private final boolean colours;
  private Size size;
  private int drawn;
  private Instant silentSince;

  TerminalView(Terminal terminal, Panel panel, boolean colours) {
    this.terminal = terminal;
    this.panel = panel;
    this.colours = colours;
    this.size = sizeNow();
  }

  @Override
  public void show(ServiceState state) {
    silentSince = null;
    draw(width -> panel.render(state, width));
  }

  @Override
  public void show(Reading.Silent silent) {
    if (silentSince == null) {
      silentSince = silent.at();
    }
    draw(width -> panel.render(silent, silentSince, width));
  }

  private void draw(IntFunction<List<AttributedString>> panelOf) {
    goBack();
    // The cursor waits on the line below: what Ctrl-C makes the terminal print there spoils
    // nothing.
    List<AttributedString> lines = fit(panelOf.apply(size.getColumns()), size.getRows() - 1);
    for (AttributedString line : lines) {
      terminal.writer().print(colours ? line.toAnsi(terminal) : line.toString());
      terminal.puts(Capability.clr_eol);
      terminal.writer().println();
    }
    terminal.puts(Capability.clr_eos);
    terminal.flush();
    drawn = lines.size();
  }

  /** To where the last picture begins. */
  private void goBack() {
    Size now = sizeNow();
    if (!now.equals(size)) {
      // The terminal has moved the old picture to an unknown place.
      size = now;
      terminal.puts(Capability.clear_screen);
    } else if (drawn > 0) {
      terminal.writer().print('\r');
      terminal.puts(Capability.parm_up_cursor, drawn);
    }
  }

  /** Serial lines and some recorders have none. */
  private Size sizeNow() {
    Size told = terminal.getSize();
    return told.getColumns() > 0 && told.getRows() > 0 ? told : USUAL;
  }

  /** What does not fit would scroll, and the next picture be drawn below this one. */
  private static List<AttributedString> fit(List<AttributedString> lines, int rows) {
    if (lines.size() <= rows) {
      return lines;
    }
    List<AttributedString> cut = new ArrayList<>(lines.subList(0, Math.max(0, rows - 1)));
    cut.add(new AttributedString("... %d lines more".formatted(lines.size() - cut.size())));
    return cut;
  }

  @Override
  public void close() {
    try {
      terminal.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
