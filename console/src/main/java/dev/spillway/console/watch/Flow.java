package dev.spillway.console.watch;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * Lines of cells under labels. What does not fit on a line goes on the next, below the first cell.
 */
final class Flow {
  private static final String GAP = "   ";

  private final int width;
  private final int indent;
  private final List<AttributedString> lines = new ArrayList<>();
  private AttributedStringBuilder line = new AttributedStringBuilder();

  /**
   * @param width columns of the terminal
   * @param indent where cells begin
   */
  Flow(int width, int indent) {
    this.width = width;
    this.indent = indent;
  }

  /** Ends the line before, and begins one with a label. */
  Flow label(String label) {
    end();
    line.styled(AttributedStyle.BOLD, label);
    // A label that is too long pushes the first cell of its own line only.
    line.append(" ".repeat(Math.max(1, indent - line.columnLength())));
    return this;
  }

  /** Ends the line before, and begins one that continues it. */
  Flow below() {
    end();
    line.append(" ".repeat(indent));
    return this;
  }

  Flow cell(String text) {
    return cell(text, AttributedStyle.DEFAULT);
  }

  Flow cell(String text, AttributedStyle style) {
    return cell(new AttributedString(text, style));
  }

  Flow cell(AttributedString cell) {
    boolean first = line.columnLength() <= indent;
    int after = line.columnLength() + (first ? 0 : GAP.length()) + cell.columnLength();
    if (!first && after > width) {
      below();
    } else if (!first && line.charAt(line.length() - 1) != ' ') {
      line.append(GAP);
    }
    line.append(cell);
    return this;
  }

  /** All lines, cut to the width. */
  List<AttributedString> lines() {
    end();
    return List.copyOf(lines);
  }

  private void end() {
    // A line without a cell says nothing: that of a target nothing was sent to lately.
    if (!line.toString().isBlank()) {
      lines.add(line.toAttributedString().columnSubSequence(0, width));
    }
    line = new AttributedStringBuilder();
  }
}
