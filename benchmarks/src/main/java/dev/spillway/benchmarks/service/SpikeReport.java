package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the spike lab found, for people and for programs. */
final class SpikeReport {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: light-dark(#1c2733, #e3e8ee);
        --paper: light-dark(#fff, #14191f); --faint: light-dark(#d8dee5, #313b46);
        --spike: light-dark(#fdf0dc, #3a2f1c); --naive: light-dark(#c2410c, #fb923c);
        --pool: light-dark(#1d4ed8, #7aa2ff); --local: light-dark(#7e22ce, #c792ea);
        --remote: light-dark(#15803d, #5fd38a); --offered: light-dark(#6b7280, #9aa4b1); }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
        max-width: 60rem; margin: 0 auto; padding: 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--faint); text-align: right; }
      th:first-child, td:first-child { text-align: left; font-weight: 400; }
      figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
      svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: var(--ink); }
      .grid { stroke: var(--faint); } .spike { fill: var(--spike); }
      .line { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
      .line.naive { stroke: var(--naive); } .line.pool { stroke: var(--pool); }
      .line.local { stroke: var(--local); } .line.remote { stroke: var(--remote); }
      .line.offered { stroke: var(--offered); stroke-dasharray: 5 4; }
      .line.shed { stroke: var(--naive); stroke-dasharray: 2 3; }
      .legend span { margin-right: 1rem; white-space: nowrap; }
      .legend span::before { content: ""; display: inline-block; width: .8em; height: .8em;
        margin-right: .35em; border-radius: 2px; background: var(--offered); }
      .legend .naive::before, .legend .shed::before { background: var(--naive); }
      .legend .pool::before { background: var(--pool); }
      .legend .local::before { background: var(--local); }
      .legend .remote::before { background: var(--remote); }
      .fault { color: var(--naive); font-weight: 600; }
      """;

  private final SpikeOptions options;
  private final SpikeShape shape;
  private final List<SpikeResult> results;
  private final Surroundings here;
  private final Optional<SpikeHistory> before;

  SpikeReport(
      SpikeOptions options,
      SpikeShape shape,
      List<SpikeResult> results,
      Surroundings here,
      Optional<SpikeHistory> before) {
    this.options = options;
    this.shape = shape;
    this.results = results;
    this.here = here;
    this.before = before;
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("cost", options.cost());
    all.put("baseline", shape.baseline());
    all.put("factor", SpikeShape.FACTOR);
    all.put("commit", here.commit());
    all.put("machine", here.machine());
    all.put("cores", here.cores());
    all.put("jdk", here.jdk());
    all.put("results", results.stream().map(SpikeResult::asMap).toList());
    return Json.write(all);
  }

  /** The tables, for a terminal. */
  String text() {
    StringBuilder text = new StringBuilder(setting() + "\n\n");
    for (Table table : tables()) {
      text.append(table.title).append("\n").append(table.text()).append("\n");
    }
    faults().forEach(fault -> text.append("MUST NOT HAPPEN: ").append(fault).append("\n"));
    return text.toString();
  }

  String html() {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    page.append("<title>Spillway: the spike</title><style>\n").append(STYLE);
    page.append("</style></head><body>\n<h1>The same spike, ").append(results.size());
    page.append(" services</h1>\n<p>").append(setting()).append("</p>\n");
    faults()
        .forEach(fault -> page.append("<p class=\"fault\">Must not happen: " + fault + "</p>\n"));
    List<Table> tables = tables();
    page.append(tables.getFirst().html());
    page.append(
        chart(
            "Logins answered 200, for each second in which they were due",
            "a second",
            false,
            second -> (double) second.granted(),
            true));
    page.append(
        chart(
            "Latency of logins that were not shed, p99",
            "ms, logarithmic",
            true,
            SpikeResult.Second::p99,
            false));
    page.append(
        chart(
            "Health check from outside, p99",
            "ms, logarithmic",
            true,
            SpikeResult.Second::healthP99,
            false));
    for (SpikeResult result : results) {
      if (result.contender().isSpillway()) {
        page.append(
            new SpikeChart(
                    "Where it was hashed: " + result.contender().label(), "a second", false, shape)
                .line("hashed here", "pool", column(result, SpikeResult.Second::local))
                .line("spilled", "remote", column(result, SpikeResult.Second::spilled))
                .line("503", "shed", column(result, second -> (double) second.shed()))
                .svg());
      }
    }
    tables.stream().skip(1).forEach(table -> page.append(table.html()));
    page.append("<h2>The contenders</h2>\n<ul>\n");
    for (SpikeResult result : results) {
      page.append(
          "<li><b>%s</b>: %s.</li>\n"
              .formatted(result.contender().label(), result.contender().about()));
    }
    page.append("</ul>\n<p>").append(honesty()).append("</p>\n</body></html>\n");
    return page.toString();
  }

  private String setting() {
    return String.format(
        Locale.ROOT,
        "bcrypt cost %d; %.1f logins/s for %d s, %.0f for %d s, %.1f again for %d s. %s, %d cores,"
            + " %s, commit %s.",
        options.cost(),
        shape.baseline(),
        shape.before().toSeconds(),
        SpikeShape.FACTOR * shape.baseline(),
        shape.spike().toSeconds(),
        shape.baseline(),
        shape.after().toSeconds(),
        here.machine(),
        here.cores(),
        here.jdk(),
        here.commit());
  }

  private String honesty() {
    return String.format(
        Locale.ROOT,
        "Load, probes and services share this machine. A client waits %d s for its answer and then"
            + " goes away; a latency counts from the moment the login was due. The remote function is"
            + " simulated: it takes %d ms for a digest, starts cold in 300 ms, keeps Lambda's rules"
            + " (1,000 environments reserved, 1,000 more in ten seconds) and knows its answers, so"
            + " it costs no CPU here. Its price is that of arm64 at 1,769 MB in us-east-1; what"
            + " local function processes would have cost is told by the same price.",
        Arrivals.PATIENCE.toSeconds(),
        SpikeContender.remoteTakes(options.cost()).toMillis());
  }

  private String chart(
      String title,
      String unit,
      boolean logarithmic,
      Function<SpikeResult.Second, Double> value,
      boolean withOffered) {
    SpikeChart chart = new SpikeChart(title, unit, logarithmic, shape);
    if (withOffered) {
      chart.line(
          "offered", "offered", column(results.getFirst(), second -> (double) second.offered()));
    }
    for (SpikeResult result : results) {
      chart.line(
          result.contender().label(),
          result.contender().name().toLowerCase(Locale.ROOT),
          column(result, value));
    }
    return chart.svg();
  }

  private static List<Double> column(
      SpikeResult result, Function<SpikeResult.Second, Double> value) {
    return result.seconds().stream().map(value).toList();
  }

  private List<String> faults() {
    return results.stream()
        .flatMap(result -> result.faults().stream().map(f -> result.contender().label() + ": " + f))
        .toList();
  }

  private List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    ratios().ifPresent(tables::add);
    tables.add(figures());
    before.ifPresent(old -> tables.add(changes(old)));
    return tables;
  }

  private Optional<Table> ratios() {
    Optional<SpikeResult> naive =
        results.stream().filter(r -> r.contender() == SpikeContender.NAIVE).findFirst();
    return naive.map(
        base -> {
          Table table = new Table("Compared with the naive service", head());
          for (String figure : List.of(SpikeRun.GRANTED_IN_SPIKE, SpikeRun.MAX_PER_MINUTE)) {
            if (Double.isFinite(base.figure(figure))) {
              table.row(
                  figure + ", x naive",
                  results.stream()
                      .map(r -> number(r.figure(figure) / base.figure(figure)))
                      .toList());
            }
          }
          for (String figure : List.of(SpikeRun.P99, SpikeRun.HEALTH_P99)) {
            table.row(figure, results.stream().map(r -> number(r.figure(figure))).toList());
          }
          return table;
        });
  }

  private Table figures() {
    Set<String> names = new LinkedHashSet<>();
    results.forEach(result -> names.addAll(result.figures().keySet()));
    Table table = new Table("All figures", head());
    for (String name : names) {
      table.row(name, results.stream().map(result -> number(result.figure(name))).toList());
    }
    return table;
  }

  private Table changes(SpikeHistory old) {
    Table table =
        new Table(
            "Now, as a multiple of commit %s%s"
                .formatted(
                    old.commit(),
                    old.cost() == options.cost() ? "" : " (which had cost " + old.cost() + ")"),
            head());
    for (String name :
        List.of(
            SpikeRun.MAX_PER_MINUTE,
            SpikeRun.GRANTED_IN_SPIKE,
            SpikeRun.P99,
            SpikeRun.HEALTH_P99)) {
      table.row(
          name,
          results.stream()
              .map(
                  result -> {
                    OptionalDouble then = old.figure(result.contender(), name);
                    return then.isEmpty() ? "-" : number(result.figure(name) / then.getAsDouble());
                  })
              .toList());
    }
    return table;
  }

  private List<String> head() {
    return results.stream().map(result -> result.contender().label()).toList();
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    int decimals = value >= 100 || value == Math.rint(value) ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  private static final class Table {
    private final String title;
    private final List<String> head;
    private final Map<String, List<String>> rows = new LinkedHashMap<>();

    Table(String title, List<String> head) {
      this.title = title;
      this.head = head;
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
      return "<h2>%s</h2>\n<div class=\"scroll\"><table><thead><tr><th></th>%s</tr></thead><tbody>%s</tbody></table></div>\n"
          .formatted(
              title,
              cells("th", head),
              rows.entrySet().stream()
                  .map(
                      row ->
                          "<tr><td>%s</td>%s</tr>"
                              .formatted(row.getKey(), cells("td", row.getValue())))
                  .collect(Collectors.joining("\n")));
    }

    private static String cells(String tag, List<String> cells) {
      return cells.stream()
          .map(cell -> "<%s>%s</%s>".formatted(tag, cell, tag))
          .collect(Collectors.joining());
    }
  }
}
