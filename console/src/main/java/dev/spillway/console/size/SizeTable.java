package dev.spillway.console.size;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A sizing as a small table, with what it assumes. */
record SizeTable(Sizing sizing) {
  /** New accounts may have less; a hundred must stay unreserved. */
  private static final int QUOTA = 1000 - 100;

  String text() {
    List<String> lines = new ArrayList<>();
    loads(lines);
    lines.add("");
    settings(lines);
    lines.add("");
    money(lines);
    lines.add("");
    assumptions(lines);
    return String.join("\n", lines);
  }

  private void loads(List<String> lines) {
    Sizing.Load usual = sizing.usual();
    Sizing.Load peak = sizing.peak();
    row(lines, "logins a minute", "usual", "peak");
    row(lines, "  all", number(usual.logins()), number(peak.logins()));
    row(lines, "  hashed here", number(usual.here()), number(peak.here()));
    row(lines, "  spilled", spilled(usual), spilled(peak));
    row(
        lines,
        "calls in flight, on average",
        format("%.1f", usual.inFlight()),
        format("%.1f", peak.inFlight()));
  }

  private void settings(List<String> lines) {
    lines.add(format("service   %d vCPU, %d hashes at once", sizing.vcpus(), sizing.permits()));
    lines.add(
        format(
            "          spillway.pool.threads=%d, the default, divided by the instances",
            sizing.vcpus()));
    lines.add(
        format(
            "function  %s, 1,769 MB, ReservedConcurrency=%d",
            sizing.demand().architecture(), sizing.concurrency()));
    lines.add(
        format("          max-outstanding=%d, divided by the instances", sizing.concurrency()));
    if (sizing.tooSmallForThePeak()) {
      lines.add("  Too few vCPUs: over half go to what the peak's logins take beside hashes.");
    }
    if (sizing.concurrency() > QUOTA) {
      lines.add(format("  Over %d: ask AWS for a larger quota, or use several regions.", QUOTA));
    }
  }

  private void money(List<String> lines) {
    row(lines, "dollars a month", "", "");
    row(lines, "  service, on Fargate", dollars(sizing.servicePerMonth()), "");
    row(
        lines,
        "  function",
        dollars(sizing.functionPerMonth()),
        format("%,.0f logins", sizing.spilledPerMonth()));
    row(
        lines,
        "  instead, without spilling",
        dollars(sizing.withoutSpillPerMonth()),
        sizing.vcpusWithoutSpill() + " vCPU");
    lines.add(
        format(
            "An hour with all of the concurrency busy, the ceiling: $%s",
            dollars(sizing.functionBusyHour())));
  }

  private void assumptions(List<String> lines) {
    Sizing.Demand demand = sizing.demand();
    int cost = demand.cost();
    lines.add("Assumed (docs/sizing.md):");
    lines.add(
        format(
            "- a core hashes %.1f a second at cost %d with every lane busy, each in %s",
            Measured.hashesPerSecond(Measured.LANES, cost),
            cost,
            time(Measured.inFullLanes(cost))));
    lines.add(
        format(
            "- a call is billed for %s%s and takes %d ms more",
            time(demand.call()),
            demand.call().equals(Measured.alone(cost)) ? ", as long as a core takes," : "",
            Measured.ROUND_TRIP.toMillis()));
    lines.add(
        format(
            "- a login takes %.1f ms of a core beside its hash",
            Measured.REST_OF_LOGIN.toNanos() / 1e6));
    lines.add(
        format(
            "- logins come at random; at most %.0f %% of the usual load find the pool full",
            100 * Sizing.REFUSED_AT_MOST));
    lines.add(
        format(
            "- the peak lasts %.0f minutes a day; prices: %s, us-east-1, November 2026;",
            demand.peakMinutes(), demand.architecture()));
    lines.add("  check them: aws.amazon.com/lambda/pricing, aws.amazon.com/fargate/pricing");
  }

  private static void row(List<String> lines, String what, String usual, String peak) {
    lines.add(format("%-27s %20s %20s", what, usual, peak).stripTrailing());
  }

  private static String dollars(double dollars) {
    return format("%,.2f", dollars);
  }

  private static String spilled(Sizing.Load load) {
    return format("%s (%.1f %%)", number(load.spilled()), 100 * load.share());
  }

  private static String number(double number) {
    return format("%,.0f", number);
  }

  private static String time(Duration duration) {
    return format("%.0f ms", duration.toNanos() / 1e6);
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
