package dev.spillway.console.watch;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * A service's state as lines of a terminal. No colour is the only carrier of information.
 *
 * @param unicode whether the terminal shows block characters
 */
record Panel(URI service, ZoneId zone, boolean unicode) {
  private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;
  private static final AttributedStyle GOOD = PLAIN.foreground(AttributedStyle.GREEN);
  private static final AttributedStyle BUSY = PLAIN.foreground(AttributedStyle.YELLOW);
  private static final AttributedStyle BAD = PLAIN.foreground(AttributedStyle.RED);
  private static final AttributedStyle FAINT = PLAIN.faint();

  private static final int INDENT = 10;
  private static final int LONGEST_NAME = 24;

  /** Room behind a bar for text, so that it does not wrap. */
  private static final int BESIDE_BAR = 24;

  private static final int SHORTEST_BAR = 8;
  private static final int LONGEST_BAR = 50;

  List<AttributedString> render(ServiceState state, int width) {
    int name =
        state.spill().targets().stream().mapToInt(target -> target.name().length()).max().orElse(0);
    int indent = Math.max(INDENT, Math.min(LONGEST_NAME, name) + 4);
    Flow flow = new Flow(width, indent);
    flow.label("spillway")
        .cell(service.toString())
        .cell("up " + Text.age(state.up()))
        .cell(Text.clock(state.at(), zone));
    int bar = Math.clamp((long) width - indent - BESIDE_BAR, SHORTEST_BAR, LONGEST_BAR);
    pool(flow, state.pool(), bar);
    logins(flow, state);
    spill(flow, state.spill(), bar);
    return flow.lines();
  }

  /** The lines to show without a state. */
  List<AttributedString> render(Reading.Silent silent, Instant since, int width) {
    return new Flow(width, INDENT)
        .label("spillway")
        .cell(service.toString())
        .below()
        .cell("no service: " + silent.why(), BAD)
        .below()
        .cell("trying again since " + Text.clock(since, zone))
        .cell(Text.clock(silent.at(), zone))
        .lines();
  }

  private void pool(Flow flow, ServiceState.Pool pool, int bar) {
    boolean full = pool.used() >= pool.size();
    flow.label("pool")
        .cell(bar(pool.used(), pool.size(), bar, full ? BUSY : GOOD))
        .cell("%d of %d permits".formatted(pool.used(), pool.size()))
        .below();
    if (pool.threads() > 0) {
      flow.cell("%d threads x %d lanes".formatted(pool.threads(), pool.size() / pool.threads()));
    }
    flow.cell(pool.waiting() + " queued", pool.waiting() > 0 ? BUSY : PLAIN)
        .cell("wait " + Text.duration(pool.waitEstimate()))
        .cell("a hash %s (cost %d)".formatted(Text.duration(pool.hash()), pool.cost()));
  }

  private static void logins(Flow flow, ServiceState state) {
    flow.label("logins").cell(Text.rate(state.loginsPerSecond()) + "/s");
    rates(flow, state.logins());
    flow.label("hashes");
    rates(flow, state.hashes());
    flow.label("latency");
    percentiles(flow, state.latency())
        .cell(
            "(%d logins in the last %d s)"
                .formatted(
                    state.latency().count(),
                    Math.max(1, state.window().plusMillis(500).toSeconds())));
  }

  private void spill(Flow flow, ServiceState.Spill spill, int bar) {
    flow.label("spill");
    if (spill.targets().isEmpty()) {
      flow.cell("no targets: what the pool refuses waits for it again");
      return;
    }
    flow.cell(spill.pending() + " pending")
        .cell(String.format(Locale.ROOT, "average %.2f", spill.average()))
        .cell(String.format(Locale.ROOT, "variance %.2f", spill.variance()))
        .cell(spill.waiting() + " wait for a slot", spill.waiting() > 0 ? BUSY : PLAIN);
    int largest = spill.targets().stream().mapToInt(Target::bound).max().orElse(1);
    for (Target target : spill.targets()) {
      target(flow, target, Math.max(1, bar * target.bound() / Math.max(1, largest)));
    }
  }

  private void target(Flow flow, Target target, int bar) {
    String name =
        target.name().length() <= LONGEST_NAME
            ? target.name()
            : target.name().substring(0, LONGEST_NAME - 2) + "..";
    AttributedStyle style =
        switch (target.condition()) {
          case OPEN -> GOOD;
          case FULL -> BUSY;
          case COOLING, MISCONFIGURED -> BAD;
        };
    flow.label("  " + name)
        .cell(bar(target.pending(), target.bound(), bar, style))
        .cell("%d/%d".formatted(target.pending(), target.bound()))
        .cell(target.condition().label(), style)
        .below();
    target
        .calls()
        .forEach(
            (outcome, rate) -> {
              boolean computed = outcome.equals("computed");
              if (computed || rate.perSecond() > 0) {
                flow.cell(
                    Text.rate(rate.perSecond()) + "/s " + outcome,
                    rate.perSecond() == 0 ? FAINT : computed ? PLAIN : BAD);
              }
            });
    if (target.latency().count() > 0) {
      percentiles(flow, target.latency());
    }
  }

  private static void rates(Flow flow, Map<String, Rate> rates) {
    rates.forEach(
        (what, rate) -> {
          if (what.equals("throttled") && rate.total() == 0) {
            return; // rare, and the line is full
          }
          boolean bad = (what.equals("shed") || what.equals("failed")) && rate.perSecond() > 0;
          flow.cell(
              what + " " + Text.rate(rate.perSecond()),
              bad ? BAD : rate.perSecond() == 0 ? FAINT : PLAIN);
        });
  }

  private static Flow percentiles(Flow flow, Latency latency) {
    return flow.cell("p50 " + Text.duration(latency.p50()))
        .cell("p90 " + Text.duration(latency.p90()))
        .cell("p99 " + Text.duration(latency.p99()));
  }

  /** One mark at least for anything above nothing; a full bar for all of it only. */
  private AttributedString bar(int value, int of, int length, AttributedStyle style) {
    int marks =
        value <= 0 || of <= 0
            ? 0
            : value >= of ? length : Math.clamp((long) length * value / of, 1, length - 1);
    return new AttributedStringBuilder()
        .styled(style, (unicode ? "\u2588" : "#").repeat(marks))
        .styled(FAINT, (unicode ? "\u2591" : ".").repeat(length - marks))
        .toAttributedString();
  }

  /** The whole state on one line, for a log. */
  String line(ServiceState state) {
    ServiceState.Pool pool = state.pool();
    String targets =
        state.spill().targets().stream()
            .map(
                target ->
                    target.name()
                        + " "
                        + target.pending()
                        + "/"
                        + target.bound()
                        + (target.condition() == Target.Condition.OPEN
                            ? ""
                            : " " + target.condition().label()))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s pool %d/%d, %d queued, wait %s | logins %s/s: %s | hashes %s, %s | p50 %s p99 %s%s",
        Text.clock(state.at(), zone),
        pool.used(),
        pool.size(),
        pool.waiting(),
        Text.duration(pool.waitEstimate()),
        Text.rate(state.loginsPerSecond()),
        list(state.logins(), "granted", "denied", "shed", "failed"),
        list(state.hashes(), "local"),
        list(state.hashes(), "spilled"),
        Text.duration(state.latency().p50()),
        Text.duration(state.latency().p99()),
        targets.isEmpty()
            ? ""
            : String.format(
                Locale.ROOT,
                " | pending average %.2f variance %.2f: %s",
                state.spill().average(),
                state.spill().variance(),
                targets));
  }

  private static String list(Map<String, Rate> rates, String... names) {
    return List.of(names).stream()
        .map(name -> name + " " + Text.rate(rates.get(name).perSecond()))
        .collect(Collectors.joining(" "));
  }
}
