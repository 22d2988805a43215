package dev.spillway.console.watch;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Signals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./spillway watch}: a running service's pool, logins and spill targets, live. */
@Command(
    name = "watch",
    description = {
      "Shows a running auth-service: permits, the line, logins and hashes a second, latency, and for"
          + " each spill target the calls pending, with average and variance.",
      "",
      "In a terminal it redraws in place; elsewhere it prints a line for each interval. Ctrl-C ends"
          + " it. NO_COLOR is respected.",
      ""
    },
    mixinStandardHelpOptions = false,
    sortOptions = false)
public final class Watch implements Callable<Integer> {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final int WIDTH = 80;

  @Spec private CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://localhost:8080",
      description = "the service (${DEFAULT-VALUE}); with a path, its metrics")
  private URI url;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "between readings, as 500ms, 1s, 1m (${DEFAULT-VALUE})")
  private Duration interval;

  @Option(names = "--once", description = "show one interval and end; 1 if there is no service")
  private boolean once;

  @Option(names = "--json", description = "a line of JSON for each reading")
  private boolean json;

  @Option(names = "--help", usageHelp = true, description = "this")
  private boolean help;

  /** Ends with 0, also when interrupted; with 1 if there is nothing to show {@code --once}. */
  @Override
  public Integer call() throws IOException {
    if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
      throw misuse("--interval takes a time from 100ms to 1h");
    }
    Thread watching = Thread.currentThread();
    try (MetricsSource source = source()) {
      if (once) {
        return once(source);
      }
      try (View view = view()) {
        Signals.register("INT", watching::interrupt);
        watch(source, view);
      }
    } catch (InterruptedException e) {
      // Ctrl-C, which is how a watch ends.
    }
    return 0;
  }

  private MetricsSource source() {
    try {
      return new MetricsSource(url, Clock.systemUTC());
    } catch (IllegalArgumentException e) {
      throw misuse(e.getMessage());
    }
  }

  private void watch(MetricsSource source, View view) throws InterruptedException {
    History history = new History();
    long next = System.nanoTime();
    boolean first = true;
    while (true) {
      switch (source.read()) {
        case Reading.Scraped(var at, var scrape) -> {
          Optional<ServiceState> state = history.add(at, scrape);
          state.ifPresent(view::show);
          first = state.isEmpty();
        }
        case Reading.Silent silent -> view.show(silent);
      }
      // There is nothing to see until there are two readings: don't make a long interval of it.
      next += (first && interval.compareTo(FIRST) > 0 ? FIRST : interval).toNanos();
      next = Math.max(next, System.nanoTime());
      Thread.sleep(Duration.ofNanos(next - System.nanoTime()));
    }
  }

  private int once(MetricsSource source) throws InterruptedException {
    History history = new History();
    for (int readings = 0; ; readings++) {
      switch (source.read()) {
        case Reading.Silent silent -> {
          System.err.printf("spillway: no service at %s: %s%n", url, silent.why());
          return 1;
        }
        case Reading.Scraped(var at, var scrape) -> {
          Optional<ServiceState> state = history.add(at, scrape);
          if (state.isPresent()) {
            print(state.get());
            return 0;
          }
        }
      }
      Thread.sleep(interval);
    }
  }

  private void print(ServiceState state) {
    if (json) {
      System.out.println(new JsonState(url).of(state));
      return;
    }
    Panel panel = new Panel(url, ZoneId.systemDefault(), unicode(System.out.charset()));
    panel.render(state, WIDTH).stream()
        .map(AttributedString::toString)
        .forEach(System.out::println);
  }

  private View view() throws IOException {
    PrintStream out = System.out;
    if (json) {
      return new JsonView(new JsonState(url), out);
    }
    Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .systemOutput(TerminalBuilder.SystemOutput.SysOut)
            .dumb(true)
            .graphemeCluster(false)
            .build();
    ZoneId zone = ZoneId.systemDefault();
    if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
      terminal.close();
      return new LineView(new Panel(url, zone, false), out);
    }
    Panel panel = new Panel(url, zone, unicode(terminal.encoding()));
    return new TerminalView(terminal, panel, !noColour());
  }

  /** As no-color.org asks. */
  private static boolean noColour() {
    String wish = System.getenv("NO_COLOR");
    return wish != null && !wish.isEmpty();
  }

  private static boolean unicode(Charset charset) {
    return charset.equals(StandardCharsets.UTF_8);
  }

  private ParameterException misuse(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
