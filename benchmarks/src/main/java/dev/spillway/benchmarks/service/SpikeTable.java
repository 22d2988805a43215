package dev.spillway.benchmarks.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A figure in each row, a contender in each column. */
final class SpikeTable {
  private final String title;
  private final List<String> head;
  private final Map<String, List<String>> rows = new LinkedHashMap<>();

  SpikeTable(String title, List<String> head) {
    this.title = title;
    this.head = head;
  }

  String title() {
    return title;
  }

  void row(String name, List<String> cells) {
    rows.put(name, cells);
  }

  String text() {
    int first = rows.keySet().stream().mapToInt(String::length).max().orElse(1);
    StringBuilder text = new StringBuilder();
    line(text, first, "", head);
    rows.forEach((name, cells) -> line(text, first, name, cells));
    return text.toString();
  }

  private void line(StringBuilder text, int first, String name, List<String> cells) {
    text.append(String.format("| %-" + first + "s |", name));
    for (int i = 0; i < cells.size(); i++) {
      text.append(String.format(" %" + Math.max(8, head.get(i).length()) + "s |", cells.get(i)));
    }
    text.append('\n');
  }

  String html() {
    return "<h2>%s</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table><thead><tr><td></td>%s</tr></thead><tbody>%s</tbody></table></div>\n"
        .formatted(
            title,
            title,
            cells("th scope=\"col\"", head),
            rows.entrySet().stream()
                .map(
                    row ->
                        "<tr><th scope=\"row\">%s</th>%s</tr>"
                            .formatted(row.getKey(), cells("td", row.getValue())))
                .collect(Collectors.joining("\n")));
  }

  private static String cells(String tag, List<String> cells) {
    return cells.stream()
        .map(cell -> "<%s>%s</%s>".formatted(tag, cell, tag.split(" ")[0]))
        .collect(Collectors.joining());
  }
}
