package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import dev.spillway.benchmarks.overload.Outcome;
import dev.spillway.benchmarks.overload.Tally;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** All steps of a run, as a table and as JSON. */
record OverloadReport(
    OverloadOptions options, double peak, List<OverloadStep> steps, Surroundings here) {
  private static final String HEAD =
      """
      | contender | | neighbours | offered/s (x peak) | 200/s | of peak | of offered | 200s p50 / p99, ms | 503/s | 503s p50 / p99 / max | none | other | health p99 / max | keys p99 | service, hashing, load: cores | us CPU a 503 |
      | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
      """;

  String table() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "overload: bcrypt cost %d, peak %s logins/s, %s, %d cores, %s, commit %s%n%n",
            options.cost(),
            number(peak),
            here.machine(),
            here.cores(),
            here.jdk(),
            here.commit()));
    text.append(HEAD);
    steps.forEach(step -> text.append(row(step)).append('\n'));
    for (OverloadStep step : steps) {
      step.heap()
          .ifPresent(
              heap ->
                  text.append(
                      String.format(
                          Locale.ROOT,
                          "%n%s: heap after a collection %.1f MB before, %.1f MB after%n",
                          step.contender().label(),
                          heap.before(),
                          heap.after())));
    }
    if (steps.stream().anyMatch(step -> step.outcome().behind())) {
      text.append("\n(!) the load fell behind: these figures are about it as well\n");
    }
    return text.toString();
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("benchmark", "overload");
    all.put("commit", here.commit());
    all.put("machine", here.machine());
    all.put("cores", here.cores());
    all.put("jdk", here.jdk());
    all.put("cost", options.cost());
    all.put("quick", options.quick());
    all.put("settings", options.settings());
    all.put("peak", peak);
    all.put("stepSeconds", options.step().toSeconds());
    all.put("rampSeconds", options.ramp().toSeconds());
    all.put("steps", steps.stream().map(OverloadStep::asMap).toList());
    return Json.write(all);
  }

  /** For the eye while it runs. */
  static String line(OverloadStep step) {
    Outcome.Of users = step.users();
    return String.format(
        Locale.ROOT,
        "%s, %s%s%s: %.0f/s offered: %.1f/s 200 (p50 %s, p99 %s ms), %.0f/s 503 (p50 %s, p99 %s"
            + " ms), none %d, health p99 %s ms, service %.2f cores (%.2f hashing), load %.2f%s",
        step.contender().label(),
        step.age(),
        step.neighbours() == 0 ? "" : ", " + step.neighbours() + " neighbours",
        step.what().equals(OverloadRun.CURVE) ? "" : ", " + step.what(),
        step.offered(),
        step.granted(),
        number(users.millis(200, Outcome.Answers::p50Millis)),
        number(users.millis(200, Outcome.Answers::p99Millis)),
        step.shed(),
        number(users.millis(503, Outcome.Answers::p50Millis)),
        number(users.millis(503, Outcome.Answers::p99Millis)),
        users.count(Tally.NO_ANSWER),
        number(step.millis(Service.HEALTH, 0.99)),
        step.used().cores(step.used().service()),
        step.used().cores(step.used().hashing()),
        step.outcome().cpuSeconds() / step.outcome().windowSeconds(),
        step.outcome().behind() ? " (!) the load fell behind" : "");
  }

  private String row(OverloadStep step) {
    Outcome.Of users = step.users();
    return String.format(
        Locale.ROOT,
        "| %s | %s%s | %d | %s%.0f (%s) | %.1f | %s | %s | %s / %s | %.0f | %s / %s / %s | %d | %s | %s / %s |"
            + " %s | %.2f, %.2f, %.2f | %s |",
        step.contender().label(),
        step.age(),
        step.what().equals(OverloadRun.CURVE) ? "" : ", " + step.what(),
        step.neighbours(),
        step.outcome().behind() ? "(!) " : "",
        step.offered(),
        number(step.times()),
        step.granted(),
        number(step.granted() / peak),
        number(step.share()),
        number(users.millis(200, Outcome.Answers::p50Millis)),
        number(users.millis(200, Outcome.Answers::p99Millis)),
        step.shed(),
        number(users.millis(503, Outcome.Answers::p50Millis)),
        number(users.millis(503, Outcome.Answers::p99Millis)),
        number(users.millis(503, Outcome.Answers::maxMillis)),
        users.count(Tally.NO_ANSWER),
        others(users),
        number(step.millis(Service.HEALTH, 0.99)),
        number(step.millis(Service.HEALTH, 1)),
        number(step.millis(Service.JWKS, 0.99)),
        step.used().cores(step.used().service()),
        step.used().cores(step.used().hashing()),
        step.outcome().cpuSeconds() / step.outcome().windowSeconds(),
        number(step.refusalMicros()));
  }

  private static String others(Outcome.Of users) {
    String others =
        users.answers().stream()
            .filter(one -> one.status() != 200 && one.status() != 503)
            .filter(one -> one.status() != Tally.NO_ANSWER && one.due() > 0)
            .map(one -> one.status() + ": " + one.due())
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? "0" : others;
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "–";
    }
    int decimals = value == Math.rint(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
