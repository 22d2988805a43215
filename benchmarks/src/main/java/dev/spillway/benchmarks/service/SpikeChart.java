package dev.spillway.benchmarks.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Lines over time, as SVG. Colours come from the page's style, by the lines' classes. */
final class SpikeChart {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 260;
  private static final int LEFT = 56;

  /** Half of the last second's name stands beyond the axis. */
  private static final int RIGHT = 24;

  private static final int TOP = 14;
  private static final int BOTTOM = 30;

  private final String title;
  private final String unit;
  private final boolean logarithmic;
  private final SpikeShape shape;
  private final List<Line> lines = new ArrayList<>();

  /**
   * @param logarithmic for what spans several powers of ten
   */
  SpikeChart(String title, String unit, boolean logarithmic, SpikeShape shape) {
    this.title = title;
    this.unit = unit;
    this.logarithmic = logarithmic;
    this.shape = shape;
  }

  /**
   * @param values one for each second; NaN leaves a gap
   */
  SpikeChart line(String label, String style, List<Double> values) {
    lines.add(new Line(label, style, values));
    return this;
  }

  String svg() {
    double most =
        lines.stream()
            .flatMap(line -> line.values.stream())
            .filter(Double::isFinite)
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(1);
    Scale scale = logarithmic ? Scale.logarithmic(most) : Scale.linear(most);
    StringBuilder svg = new StringBuilder();
    svg.append(
        format(
            "<figure><figcaption>%s</figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
            title, WIDTH, HEIGHT, title));
    double from = shape.parts().before().toMillis() / 1e3;
    double to = from + shape.parts().spike().toMillis() / 1e3;
    svg.append(
        format(
            "<rect class=\"spike\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
            x(from), TOP, x(to) - x(from), HEIGHT - TOP - BOTTOM));
    for (double tick : scale.ticks()) {
      double y = y(scale.at(tick));
      svg.append(
          format(
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
              LEFT, WIDTH - RIGHT, y, y));
      svg.append(
          format(
              "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
              LEFT - 6, y + 4, tick(tick)));
    }
    long length = shape.length().toSeconds();
    long step = Math.max(1, length / 8);
    for (long second = 0; second <= length; second += step) {
      svg.append(
          format(
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\"%s>%d s</text>",
              x(second),
              HEIGHT - 10,
              second % (2 * step) == 0 ? "" : " class=\"narrow-off\"",
              second));
    }
    svg.append(format("<text x=\"%d\" y=\"%d\">%s</text>", LEFT + 4, TOP + 10, unit));
    for (Line line : lines) {
      svg.append(
          "<path class=\"line %s\" d=\"%s\"/>".formatted(line.style, path(line.values, scale)));
    }
    svg.append("</svg><p class=\"legend\">");
    svg.append(
        lines.stream()
            .map(line -> "<span class=\"%s\">%s</span>".formatted(line.style, line.label))
            .collect(Collectors.joining(" ")));
    return svg.append("</p></figure>\n").toString();
  }

  private String path(List<Double> values, Scale scale) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < values.size(); i++) {
      double value = values.get(i);
      if (Double.isFinite(value)) {
        path.append(format("%s%.1f %.1f", drawing ? "L" : "M", x(i + 0.5), y(scale.at(value))));
      }
      drawing = Double.isFinite(value);
    }
    return path.toString();
  }

  private double x(double seconds) {
    return LEFT + (WIDTH - LEFT - RIGHT) * seconds * 1e3 / shape.length().toMillis();
  }

  private static double y(double part) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
  }

  private static String tick(double value) {
    return value >= 1000 && value % 1000 == 0
        ? format("%.0fk", value / 1000)
        : format("%.3g", value).replaceAll("\\.0+$", "");
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }

  private record Line(String label, String style, List<Double> values) {}

  /** Where between 0 and 1 a value stands, and which values are named at the side. */
  private record Scale(boolean logarithmic, double least, double most, List<Double> ticks) {
    private static final int TICKS = 5;

    double at(double value) {
      return Math.clamp(
          logarithmic
              ? (Math.log10(Math.max(value, least)) - Math.log10(least))
                  / (Math.log10(most) - Math.log10(least))
              : value / most,
          0,
          1);
    }

    static Scale linear(double highest) {
      double rough = Math.max(highest, 1) / TICKS;
      double power = Math.pow(10, Math.floor(Math.log10(rough)));
      double step = power;
      for (double factor : new double[] {1, 2, 5, 10}) {
        step = power * factor;
        if (step >= rough) {
          break;
        }
      }
      List<Double> ticks = new ArrayList<>();
      double most = 0;
      for (int i = 0; most < highest || i < 2; i++) {
        most = i * step;
        ticks.add(most);
      }
      return new Scale(false, 0, most, ticks);
    }

    static Scale logarithmic(double highest) {
      List<Double> ticks = new ArrayList<>();
      double tick = 1;
      ticks.add(tick);
      while (tick < highest) {
        tick *= 10;
        ticks.add(tick);
      }
      return new Scale(true, 1, Math.max(tick, 10), ticks);
    }
  }
}
