package dev.spillway.console.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All samples of one scrape, or the differences between two. Never changes. */
public final class Scrape {
  private static final String START = "process_start_time_seconds";

  private final Map<String, List<Sample>> byName;

  private Scrape(List<Sample> samples) {
    this.byName = samples.stream().collect(Collectors.groupingBy(Sample::name));
  }

  /**
   * @param text of Prometheus or OpenMetrics
   * @throws IllegalArgumentException if it is neither
   */
  public static Scrape parse(String text) {
    return new Scrape(MetricsText.parse(text));
  }

  /** The sum of all series of a metric; empty if there is none. */
  public OptionalDouble value(String name) {
    List<Sample> samples = samples(name);
    return samples.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(samples.stream().mapToDouble(Sample::value).sum());
  }

  /** The sum of the series that have these labels; 0 if there is none. */
  public double sum(String name, Map<String, String> labels) {
    return samples(name).stream()
        .filter(sample -> sample.has(labels))
        .mapToDouble(Sample::value)
        .sum();
  }

  /** Sums of the series that have these labels, by the values of another label, in its order. */
  public Map<String, Double> by(String label, String name, Map<String, String> labels) {
    return samples(name).stream()
        .filter(sample -> sample.has(labels) && sample.labels().containsKey(label))
        .collect(
            Collectors.groupingBy(
                sample -> sample.labels().get(label),
                TreeMap::new,
                Collectors.summingDouble(Sample::value)));
  }

  /**
   * The histogram of a metric, summed over the series that have these labels.
   *
   * @param name without {@code _bucket}
   */
  public Histogram histogram(String name, Map<String, String> labels) {
    return new Histogram(
        samples(name + "_bucket").stream()
            .filter(sample -> sample.has(labels) && sample.labels().containsKey("le"))
            .collect(
                Collectors.groupingBy(
                    sample -> MetricsText.number(sample.labels().get("le")),
                    TreeMap::new,
                    Collectors.summingDouble(Sample::value))));
  }

  /** Whether this process is another than the one of an earlier scrape. */
  public boolean restartedSince(Scrape earlier) {
    OptionalDouble start = value(START);
    OptionalDouble before = earlier.value(START);
    return start.isPresent() && before.isPresent() && start.getAsDouble() != before.getAsDouble();
  }

  /**
   * How much each series has grown since an earlier scrape of the same process. A series that is
   * new, or of another process, or has fallen for any other reason, has grown from zero. Makes
   * sense of counters and histograms only.
   */
  public Scrape growthSince(Scrape earlier) {
    Map<Series, Double> before =
        restartedSince(earlier)
            ? Map.of()
            : earlier.byName.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.toMap(Series::of, Sample::value, Double::sum));
    List<Sample> growth = new ArrayList<>();
    for (List<Sample> samples : byName.values()) {
      for (Sample sample : samples) {
        double from = before.getOrDefault(Series.of(sample), 0.0);
        double grown = sample.value() >= from ? sample.value() - from : sample.value();
        growth.add(new Sample(sample.name(), sample.labels(), grown));
      }
    }
    return new Scrape(growth);
  }

  private List<Sample> samples(String name) {
    return byName.getOrDefault(name, List.of());
  }

  private record Series(String name, Map<String, String> labels) {
    static Series of(Sample sample) {
      return new Series(sample.name(), sample.labels());
    }
  }
}
