package dev.spillway.benchmarks.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Lines between points on two logarithmic axes, as a part of an SVG. */
final class LogChart {
  private static final int WIDTH = 480;
  private static final int HEIGHT = 300;
  private static final int LEFT = 56;
  private static final int RIGHT = 24;
  private static final int TOP = 34;
  private static final int BOTTOM = 36;

  private final String title;
  private final String unit;
  private final List<Line> lines = new ArrayList<>();

  LogChart(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  /**
   * @param points x above 0, and y; where y is 0 the point is on the axis, where it is no number
   *     there is a gap
   */
  LogChart line(String style, List<double[]> points) {
    lines.add(new Line(style, points));
    return this;
  }

  String svg(int atX, int atY) {
    Axis x = axis(point -> point[0], LEFT, WIDTH - RIGHT);
    Axis y = axis(point -> point[1], HEIGHT - BOTTOM, TOP);
    StringBuilder svg = new StringBuilder(format("<g transform=\"translate(%d %d)\">", atX, atY));
    svg.append(format("<text class=\"title\" x=\"%d\" y=\"16\">%s</text>", LEFT, title));
    svg.append(format("<text x=\"%d\" y=\"%d\">%s</text>%n", LEFT + 4, TOP + 12, unit));
    for (double tick : y.ticks()) {
      svg.append(
          format(
              "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\""
                  + " text-anchor=\"end\">%s</text>%n",
              LEFT, y.at(tick), WIDTH - RIGHT, LEFT - 6, y.at(tick) + 4, number(tick)));
    }
    for (double tick : x.ticks()) {
      svg.append(
          format(
              "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\""
                  + " text-anchor=\"middle\">%s x</text>%n",
              x.at(tick), TOP, HEIGHT - BOTTOM, x.at(tick), HEIGHT - BOTTOM + 18, number(tick)));
    }
    for (Line line : lines) {
      svg.append(
          format("<path class=\"line %s\" d=\"%s\"/>%n", line.style.strip(), path(line, x, y)));
    }
    return svg.append("</g>\n").toString();
  }

  private static String path(Line line, Axis x, Axis y) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (double[] point : line.points) {
      boolean known = Double.isFinite(point[1]);
      if (known) {
        path.append(format("%s%.1f %.1f", drawing ? "L" : "M", x.at(point[0]), y.at(point[1])));
      }
      drawing = known;
    }
    return path.toString();
  }

  /** Over whole powers of ten. */
  private Axis axis(ToDoubleFunction<double[]> of, int from, int to) {
    double least = values(of).filter(value -> value > 0).min().orElse(1);
    double most = values(of).max().orElse(1);
    double low = Math.floor(Math.log10(least));
    double high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(most, least))));
    return new Axis(low, high, from, to);
  }

  private DoubleStream values(ToDoubleFunction<double[]> of) {
    return lines.stream()
        .flatMap(line -> line.points.stream())
        .mapToDouble(of)
        .filter(Double::isFinite);
  }

  private static String number(double value) {
    return value >= 1 ? format("%,.0f", value) : Double.toString(value);
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }

  private record Line(String style, List<double[]> points) {}

  /**
   * @param low the power of ten at its beginning
   */
  private record Axis(double low, double high, int from, int to) {
    double at(double value) {
      double part = value <= 0 ? 0 : (Math.log10(value) - low) / (high - low);
      return from + (to - from) * Math.clamp(part, 0, 1);
    }

    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      for (double power = low; power <= high; power++) {
        ticks.add(Math.pow(10, power));
      }
      return ticks;
    }
  }
}
