package dev.spillway.console.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads Prometheus's text format 0.0.4, and OpenMetrics 1.0 as far as they agree: names, labels and
 * values. Comments, timestamps and exemplars are skipped.
 *
 * <p>Prometheus's own Java clients only write the format, and the one reader on Maven Central
 * (Hawkular's) has had no release since 2018. A line of it is a name, labels and a number.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">the formats</a>
 */
final class MetricsText {
  private final String line;
  private int at;

  private MetricsText(String line) {
    this.line = line;
  }

  /**
   * @throws IllegalArgumentException if a line is neither empty, a comment nor a sample
   */
  static List<Sample> parse(String text) {
    List<Sample> samples = new ArrayList<>();
    text.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(line -> samples.add(new MetricsText(line).sample()));
    return samples;
  }

  private Sample sample() {
    String name = name();
    Map<String, String> labels = next('{') ? labels() : Map.of();
    String value = word();
    try {
      return new Sample(name, labels, number(value));
    } catch (NumberFormatException e) {
      throw unreadable("a number");
    }
  }

  private Map<String, String> labels() {
    Map<String, String> labels = new HashMap<>();
    // A comma may follow the last label too: Micrometer's registry writes one.
    while (!next('}')) {
      String label = name();
      expect('=');
      labels.put(label, quoted());
      if (!next(',')) {
        expect('}');
        break;
      }
    }
    return Map.copyOf(labels);
  }

  private String name() {
    skipBlanks();
    int start = at;
    while (at < line.length() && isOfName(line.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw unreadable("a name");
    }
    return line.substring(start, at);
  }

  private static boolean isOfName(char c) {
    return c == '_' || c == ':' || (c < 128 && Character.isLetterOrDigit(c));
  }

  private String quoted() {
    expect('"');
    StringBuilder value = new StringBuilder();
    for (; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == '"') {
        at++;
        return value.toString();
      }
      if (c == '\\' && at + 1 < line.length()) {
        at++;
        c = line.charAt(at) == 'n' ? '\n' : line.charAt(at);
      }
      value.append(c);
    }
    throw unreadable("a closing quote");
  }

  private String word() {
    skipBlanks();
    int start = at;
    while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
      at++;
    }
    return line.substring(start, at);
  }

  /**
   * @throws IllegalArgumentException if it is none
   */
  static double number(String word) {
    return switch (word) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(word);
    };
  }

  private boolean next(char c) {
    skipBlanks();
    boolean is = at < line.length() && line.charAt(at) == c;
    at += is ? 1 : 0;
    return is;
  }

  private void expect(char c) {
    if (!next(c)) {
      throw unreadable(Character.toString(c));
    }
  }

  private void skipBlanks() {
    while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
      at++;
    }
  }

  private IllegalArgumentException unreadable(String wanted) {
    return new IllegalArgumentException(
        "no line of metrics: '%s' lacks %s at column %d".formatted(line, wanted, at + 1));
  }
}
