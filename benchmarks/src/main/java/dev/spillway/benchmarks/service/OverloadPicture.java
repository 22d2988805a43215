package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.overload.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What became of what was offered, as one SVG that needs no page around it: answered, latencies of
 * 200s and of 503s, health. Every axis is logarithmic; a line is a contender of one age beside so
 * many neighbours.
 */
final class OverloadPicture {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 40;
  private static final int PANEL_HEIGHT = 300;
  private static final String STYLE =
      """
      text { font: 12px system-ui, sans-serif; fill: #1c2733; } .title { font-weight: 600; }
      .grid { stroke: #d8dee5; } .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
      .p50 { stroke-width: 1; } .young { stroke-dasharray: 7 4; } .beside { stroke-dasharray: 2 3; }
      .young.beside { stroke-dasharray: 7 3 2 3; } .offered { stroke: #6b7280; stroke-width: 1; }
      .naive { stroke: #c2410c; } .pool { stroke: #1d4ed8; } .throttled { stroke: #7e22ce; }
      .remote { stroke: #15803d; }
      """;

  private final double peak;
  private final Map<String, List<OverloadStep>> lines;

  /** Of all steps those are drawn that offered a multiple of the peak. */
  OverloadPicture(double peak, List<OverloadStep> steps) {
    this.peak = peak;
    this.lines =
        steps.stream()
            .filter(step -> step.what().equals(OverloadRun.CURVE))
            .sorted(Comparator.comparingDouble(OverloadStep::times))
            .collect(
                Collectors.groupingBy(
                    OverloadPicture::name, LinkedHashMap::new, Collectors.toList()));
  }

  String svg() {
    int legendRows = (lines.size() + 2) / 3;
    int height = HEIGHT + 2 * PANEL_HEIGHT + 20 * legendRows;
    StringBuilder svg = new StringBuilder();
    svg.append(
        format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                + " aria-label=\"What is answered, by what is offered\"><style>%s</style>"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
            WIDTH, height, STYLE));
    int right = WIDTH / 2;
    svg.append(answered().svg(0, 0));
    svg.append(latencies("200s: p50 (thin) and p99", 200).svg(right, 0));
    svg.append(latencies("503s: p50 (thin) and p99", 503).svg(0, PANEL_HEIGHT));
    LogChart health = new LogChart("Health check, p99", "ms");
    add(health, "", step -> step.millis(Service.HEALTH, 0.99));
    svg.append(health.svg(right, PANEL_HEIGHT));
    legend(svg, 2 * PANEL_HEIGHT + 24);
    return svg.append("</svg>\n").toString();
  }

  private LogChart answered() {
    LogChart chart = new LogChart("Logins answered 200", "a second");
    List<double[]> ideal = new ArrayList<>();
    lines.values().stream()
        .flatMap(List::stream)
        .mapToDouble(OverloadStep::times)
        .distinct()
        .sorted()
        .forEach(times -> ideal.add(new double[] {times, Math.min(1, times) * peak}));
    chart.line("offered", ideal);
    add(chart, "", OverloadStep::granted);
    return chart;
  }

  private LogChart latencies(String title, int status) {
    LogChart chart = new LogChart(title, "ms");
    add(chart, "p50", step -> step.users().millis(status, Outcome.Answers::p50Millis));
    add(chart, "", step -> step.users().millis(status, Outcome.Answers::p99Millis));
    return chart;
  }

  private void add(LogChart chart, String style, ToDoubleFunction<OverloadStep> value) {
    lines
        .values()
        .forEach(
            steps ->
                chart.line(
                    style(steps.getFirst()) + " " + style,
                    steps.stream()
                        .map(step -> new double[] {step.times(), value.applyAsDouble(step)})
                        .toList()));
  }

  private void legend(StringBuilder svg, int top) {
    int index = 0;
    for (Map.Entry<String, List<OverloadStep>> line : lines.entrySet()) {
      int x = 40 + index % 3 * 310;
      int y = top + index / 3 * 20;
      svg.append(
          format(
              "<path class=\"line %s\" d=\"M%d %dh40\"/><text x=\"%d\" y=\"%d\">%s</text>%n",
              style(line.getValue().getFirst()), x, y, x + 48, y + 4, line.getKey()));
      index++;
    }
    int y = top + (lines.size() + 2) / 3 * 20 - 4;
    svg.append(
        format(
            "<text x=\"40\" y=\"%d\">Below: offered, as multiples of the pool&#8217;s peak of %.0f a"
                + " second (thin grey: all that could be answered)</text>%n",
            y, peak));
  }

  private static String name(OverloadStep step) {
    return step.contender().label()
        + ", "
        + step.age()
        + (step.neighbours() == 0 ? "" : ", " + step.neighbours() + " busy neighbours");
  }

  private static String style(OverloadStep step) {
    return step.contender().name().toLowerCase(Locale.ROOT)
        + (step.age().equals(OverloadRun.YOUNG) ? " young" : "")
        + (step.neighbours() == 0 ? "" : " beside");
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }
}
