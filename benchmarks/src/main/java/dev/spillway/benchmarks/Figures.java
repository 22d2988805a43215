package dev.spillway.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What all forks found out about one rival. */
final class Figures {
  private final String name;

  /** Against spring, against the loop in C of as many lanes, against the best loop in C. */
  private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

  private final List<Double> callMillis = new ArrayList<>();
  private int hashesPerCall;

  Figures(String name) {
    this.name = name;
  }

  void addRatio(String other, double ratio) {
    ratios.computeIfAbsent(other, name -> new ArrayList<>()).add(ratio);
  }

  void addCall(long cpuNanos, int hashes) {
    callMillis.add(cpuNanos / 1e6);
    hashesPerCall = hashes;
  }

  String row() {
    return format(
        "| %-12s | %-16s | %-16s | %-16s | %8.1f | %4d | %7.1f / %7.1f |",
        name,
        range(Rivals.YARDSTICK),
        range("c"),
        range("best-c"),
        hashesPerSecond(),
        hashesPerCall,
        at(callMillis, 0.5),
        at(callMillis, 0.9));
  }

  String json() {
    String against =
        ratios.entrySet().stream()
            .map(
                ratio ->
                    format(
                        "\"%s\":{\"median\":%.3f,\"min\":%.3f,\"max\":%.3f}",
                        ratio.getKey(),
                        at(ratio.getValue(), 0.5),
                        at(ratio.getValue(), 0),
                        at(ratio.getValue(), 1)))
            .collect(Collectors.joining(","));
    return format(
        "{\"name\":\"%s\",\"against\":{%s},\"hashesPerCpuSecond\":%.2f,\"hashesPerCall\":%d,"
            + "\"callCpuMillis\":{\"p50\":%.2f,\"p90\":%.2f}}",
        name, against, hashesPerSecond(), hashesPerCall, at(callMillis, 0.5), at(callMillis, 0.9));
  }

  private String range(String other) {
    List<Double> values = ratios.getOrDefault(other, List.of());
    return values.isEmpty()
        ? ""
        : format("%.2f (%.2f-%.2f)", at(values, 0.5), at(values, 0.1), at(values, 0.9));
  }

  /** Of the median call. */
  private double hashesPerSecond() {
    return hashesPerCall * 1000 / at(callMillis, 0.5);
  }

  private static double at(List<Double> values, double quantile) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get((int) Math.round(quantile * (sorted.size() - 1)));
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }
}
