package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the spike lab found, for people and for programs. */
final class SpikeReport {
  private static final String RIVAL =
      "Keycloak does more for each login: it writes a session to its database, issues a refresh"
          + " token beside the access token, and sends events; and it is an identity provider with"
          + " flows, federation, consent and a console, which Spillway is not. Its"
          + " throttle of guesses is off, as it is by default; ours is on. Argon2id at its default"
          + " costs less CPU than bcrypt of a usual cost and needs 7 MiB of memory, so its figures"
          + " are not those of the same protection; PBKDF2 with bcrypt's CPU time is weaker against"
          + " graphics cards than bcrypt. Its health is asked on its management port.";

  private static final String SEARCH = "search for the most";

  private final SpikeOptions options;
  private final SpikeShape shape;
  private final List<SpikeResult> results;
  private final List<String> leftOut;
  private final Duration budget;
  private final Duration took;
  private final Surroundings here;
  private final Optional<SpikeHistory> before;

  SpikeReport(
      SpikeOptions options,
      SpikeShape shape,
      List<SpikeResult> results,
      List<String> leftOut,
      SpikeBudget budget,
      Surroundings here,
      Optional<SpikeHistory> before) {
    this.options = options;
    this.shape = shape;
    this.results = results;
    this.leftOut = leftOut;
    this.budget = budget.total();
    this.took = budget.used();
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
    all.put("budgetSeconds", budget.toSeconds());
    all.put("tookSeconds", took.toSeconds());
    all.put("leftOut", leftOut);
    all.put("results", results.stream().map(SpikeResult::asMap).toList());
    return Json.write(all);
  }

  /** The tables, for a terminal. */
  String text() {
    StringBuilder text = new StringBuilder(conclusion() + "\n\n" + setting() + "\n\n");
    for (SpikeTable table : tables()) {
      text.append(table.title()).append("\n").append(table.text()).append("\n");
    }
    faults().forEach(fault -> text.append("MUST NOT HAPPEN: ").append(fault).append("\n"));
    return text.toString();
  }

  String html() {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    page.append("<title>Spillway: the spike</title><style>\n").append(SpikeStyle.CSS);
    page.append("</style></head><body><main>\n<h1>The same spike, ").append(results.size());
    page.append(" services</h1>\n<p class=\"conclusion\">").append(conclusion());
    page.append("</p>\n<p>").append(setting()).append("</p>\n");
    faults()
        .forEach(fault -> page.append("<p class=\"fault\">Must not happen: " + fault + "</p>\n"));
    List<SpikeTable> tables = tables();
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
    page.append("</ul>\n<p>").append(honesty()).append("</p>\n");
    if (results.stream().anyMatch(result -> result.contender().isRival())) {
      page.append("<p>").append(RIVAL).append("</p>\n");
    }
    page.append("</main></body></html>\n");
    return page.toString();
  }

  /** Compares the best of ours with the naive service. */
  String conclusion() {
    Optional<SpikeResult> best =
        results.stream()
            .filter(result -> result.contender().isSpillway() && answered(result) > 0)
            .max(Comparator.comparingDouble(SpikeReport::answered));
    if (best.isEmpty()) {
      return "No contender of ours answered a login in the spike.";
    }
    SpikeResult ours = best.get();
    String told =
        "Of %s logins a second in the spike, %s answered %s with 200, within %s ms (p99), and health checks within %s ms"
            .formatted(
                number(SpikeShape.FACTOR * shape.baseline()),
                ours.contender().label(),
                number(answered(ours)),
                number(ours.figure(SpikeRun.P99)),
                number(ours.figure(SpikeRun.HEALTH_P99)));
    return naive()
        .map(
            base ->
                "%s; the naive service answered %s, and health checks within %s ms."
                    .formatted(
                        told, number(answered(base)), number(base.figure(SpikeRun.HEALTH_P99))))
        .orElse(told + ".");
  }

  private static double answered(SpikeResult result) {
    return result.figure(SpikeRun.GRANTED_IN_SPIKE);
  }

  private Optional<SpikeResult> naive() {
    return results.stream().filter(r -> r.contender() == SpikeContender.NAIVE).findFirst();
  }

  private String setting() {
    return String.format(
        Locale.ROOT,
        "bcrypt cost %d; %.1f logins/s for %d s, %.0f for %d s, %.1f again for %d s. %s, %d cores,"
            + " %s, commit %s. Took %d s of a budget of %d s.",
        options.cost(),
        shape.baseline(),
        shape.parts().before().toSeconds(),
        SpikeShape.FACTOR * shape.baseline(),
        shape.parts().spike().toSeconds(),
        shape.baseline(),
        shape.parts().after().toSeconds(),
        here.machine(),
        here.cores(),
        here.jdk(),
        here.commit(),
        took.toSeconds(),
        budget.toSeconds());
  }

  private String honesty() {
    return String.format(
        Locale.ROOT,
        "Load, probes and services share this machine. %sA client waits %d s for its answer and then"
            + " goes away; a latency counts from the moment the login was due. The remote function is"
            + " simulated: it takes %d ms for a digest, starts cold in 300 ms, keeps Lambda's rules"
            + " (1,000 environments reserved, 1,000 more in ten seconds) and knows its answers, so"
            + " it costs no CPU here. Its price is that of arm64 at 1,769 MB in us-east-1; what"
            + " local function processes would have cost is told by the same price.",
        options.stepping() ? steps() : "",
        Arrivals.PATIENCE.toSeconds(),
        SpikeContender.remoteTakes(options.cost()).toMillis());
  }

  private String steps() {
    return String.format(
        Locale.ROOT,
        "The most logins a minute are of the highest rate that held for %d to %d s, before the"
            + " spike: an overload that needs longer to show is not seen. How far above it the rate"
            + " is that was too much says how exact it is; the last row says whether it was found"
            + " or the time was over. ",
        options.length().step().toSeconds(),
        options.length().step().multipliedBy(2).toSeconds());
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
    return Stream.concat(
            leftOut.stream(),
            results.stream()
                .flatMap(
                    result ->
                        result.faults().stream().map(f -> result.contender().label() + ": " + f)))
        .toList();
  }

  private List<SpikeTable> tables() {
    List<SpikeTable> tables = new ArrayList<>();
    ratios().ifPresent(tables::add);
    tables.add(figures());
    before.ifPresent(old -> tables.add(changes(old)));
    return tables;
  }

  private Optional<SpikeTable> ratios() {
    return naive()
        .map(
            base -> {
              SpikeTable table = new SpikeTable("Compared with the naive service", head());
              for (String figure : List.of(SpikeRun.GRANTED_IN_SPIKE, SpikeRun.MAX_PER_MINUTE)) {
                if (Double.isFinite(base.figure(figure)) && !unended(base.search(), figure)) {
                  table.row(
                      figure + ", x naive",
                      results.stream()
                          .map(r -> cell(r, figure, r.figure(figure) / base.figure(figure)))
                          .toList());
                }
              }
              for (String figure : List.of(SpikeRun.P99, SpikeRun.HEALTH_P99)) {
                table.row(figure, results.stream().map(r -> number(r.figure(figure))).toList());
              }
              return table;
            });
  }

  private SpikeTable figures() {
    Set<String> names = new LinkedHashSet<>();
    results.forEach(result -> names.addAll(result.figures().keySet()));
    SpikeTable table = new SpikeTable("All figures", head());
    for (String name : names) {
      table.row(name, results.stream().map(r -> cell(r, name, r.figure(name))).toList());
    }
    if (options.stepping()) {
      table.row(SEARCH, results.stream().map(result -> told(result.search())).toList());
    }
    return table;
  }

  private SpikeTable changes(SpikeHistory old) {
    SpikeTable table =
        new SpikeTable(
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
                    return then.isEmpty() || unended(old.search(result.contender()), name)
                        ? "-"
                        : cell(result, name, result.figure(name) / then.getAsDouble());
                  })
              .toList());
    }
    if (options.stepping()) {
      table.row(
          SEARCH + ", then and now",
          results.stream()
              .map(result -> told(old.search(result.contender())) + " / " + told(result.search()))
              .toList());
    }
    return table;
  }

  private static String cell(SpikeResult result, String figure, double value) {
    return unended(result.search(), figure) ? "search did not end" : number(value);
  }

  /** What held when the time was over is no figure of the contender's. */
  private static boolean unended(Optional<SearchEnd> search, String figure) {
    return search.equals(Optional.of(SearchEnd.TIME_OVER))
        && (figure.equals(SpikeRun.MAX_PER_MINUTE) || figure.equals(SpikeRun.TOO_MUCH_PER_MINUTE));
  }

  private static String told(Optional<SearchEnd> search) {
    return search.map(SearchEnd::label).orElse("-");
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
}
