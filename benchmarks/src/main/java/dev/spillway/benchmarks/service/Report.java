package dev.spillway.benchmarks.service;

import dev.spillway.benchmarks.Surroundings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The figures of a run: samples by contender and figure, told as their median and range; and what a
 * reader must know beside them.
 */
final class Report {
  private final String benchmark;
  private final Options options;
  private final Map<String, Map<String, List<Double>>> contenders = new LinkedHashMap<>();
  private final Set<String> figures = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();

  Report(String benchmark, Options options) {
    this.benchmark = benchmark;
    this.options = options;
  }

  void add(String contender, String figure, double sample) {
    figures.add(figure);
    contenders
        .computeIfAbsent(contender, _ -> new LinkedHashMap<>())
        .computeIfAbsent(figure, _ -> new ArrayList<>())
        .add(sample);
  }

  void note(String format, Object... args) {
    notes.add(String.format(Locale.ROOT, format, args));
  }

  String table(Surroundings here) {
    StringBuilder text =
        new StringBuilder(
            "%s: bcrypt cost %d, %s, %d cores, %s, commit %s; %d round(s)%s%n%n"
                .formatted(
                    benchmark,
                    options.cost(),
                    here.machine(),
                    here.cores(),
                    here.jdk(),
                    here.commit(),
                    options.rounds(),
                    options.quick() ? ", quick: a first impression only" : ""));
    List<List<String>> cells = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("median (range)"));
    head.addAll(contenders.keySet());
    cells.add(head);
    for (String figure : figures) {
      List<String> row = new ArrayList<>(List.of(figure));
      contenders
          .values()
          .forEach(samples -> row.add(cell(samples.getOrDefault(figure, List.of()))));
      cells.add(row);
    }
    int[] widths = new int[head.size()];
    for (List<String> row : cells) {
      Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length()));
    }
    text.append(row(cells.getFirst(), widths));
    text.append(Arrays.stream(widths).mapToObj("-"::repeat).collect(line("-|-")));
    cells.stream().skip(1).forEach(row -> text.append(row(row, widths)));
    text.append('\n');
    notes.forEach(note -> text.append("- ").append(note).append('\n'));
    return text.toString();
  }

  String json(Surroundings here) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("benchmark", benchmark);
    all.put("cost", options.cost());
    all.put("rounds", options.rounds());
    all.put("sampleSeconds", options.sample().toSeconds());
    all.put("quick", options.quick());
    all.put("commit", here.commit());
    all.put("machine", here.machine());
    all.put("cores", here.cores());
    all.put("jdk", here.jdk());
    Map<String, Object> results = new LinkedHashMap<>();
    contenders.forEach(
        (contender, samples) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          samples.forEach((figure, list) -> row.put(figure, summary(list)));
          results.put(contender, row);
        });
    all.put("results", results);
    all.put("notes", notes);
    return Json.write(all);
  }

  private static Map<String, Object> summary(List<Double> samples) {
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("median", median(samples));
    summary.put("samples", samples);
    return summary;
  }

  private static String row(List<String> cells, int[] widths) {
    List<String> padded = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      padded.add(
          String.format(Locale.ROOT, "%" + (i == 0 ? "-" : "") + widths[i] + "s", cells.get(i)));
    }
    return padded.stream().collect(line(" | "));
  }

  private static java.util.stream.Collector<CharSequence, ?, String> line(String between) {
    String edge = between.equals(" | ") ? " " : "-";
    return Collectors.joining(between, "|" + edge, edge + "|\n");
  }

  private static String cell(Collection<Double> samples) {
    if (samples.isEmpty()) {
      return "";
    }
    List<Double> sorted = samples.stream().sorted().toList();
    String median = number(median(sorted));
    String range = number(sorted.getFirst()) + "-" + number(sorted.getLast());
    return sorted.getFirst().equals(sorted.getLast()) ? median : median + " (" + range + ")";
  }

  private static double median(Collection<Double> samples) {
    List<Double> sorted = samples.stream().sorted().toList();
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    boolean whole = value == Math.rint(value);
    int decimals = whole || value >= 1000 ? 0 : value >= 20 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
