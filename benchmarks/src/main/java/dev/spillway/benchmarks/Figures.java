package dev.spillway.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What all forks found out about one rival. */
final class Figures {
  private final String name;
  private final List<Double> ratios = new ArrayList<>();
  private final List<Double> callMillis = new ArrayList<>();
  private int hashesPerCall;

  Figures(String name) {
    this.name = name;
  }

  void addRatio(double ratio) {
    ratios.add(ratio);
  }

  void addCall(long cpuNanos, int hashes) {
    callMillis.add(cpuNanos / 1e6);
    hashesPerCall = hashes;
  }

  String row() {
    String ratio =
        ratios.isEmpty()
            ? "1"
            : format("%.2f (%.2f-%.2f)", at(ratios, 0.5), at(ratios, 0), at(ratios, 1));
    return format(
        "| %-12s | %-16s | %8.1f | %4d | %7.1f / %7.1f |",
        name, ratio, hashesPerSecond(), hashesPerCall, at(callMillis, 0.5), at(callMillis, 0.9));
  }

  String json() {
    String ratio =
        ratios.isEmpty()
            ? ""
            : format(
                "\"ratio\":{\"median\":%.3f,\"min\":%.3f,\"max\":%.3f},",
                at(ratios, 0.5), at(ratios, 0), at(ratios, 1));
    return format(
        "{\"name\":\"%s\",%s\"hashesPerCpuSecond\":%.2f,\"hashesPerCall\":%d,"
            + "\"callCpuMillis\":{\"p50\":%.2f,\"p90\":%.2f}}",
        name, ratio, hashesPerSecond(), hashesPerCall, at(callMillis, 0.5), at(callMillis, 0.9));
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
