package dev.spillway.benchmarks.service;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whether two samples tell their populations apart, whatever their distributions: H. B. Mann, D. R.
 * Whitney, On a test of whether one of two random variables is stochastically larger than the
 * other, Annals of Mathematical Statistics 18 (1947).
 *
 * @param auc the share of pairs whose second is larger, ties counting half; 0.5 if nothing differs
 * @param z how far that is from 0.5, in standard deviations of two samples of one population; large
 *     samples are taken for granted, and ties not corrected for
 */
record MannWhitney(double auc, double z) {
  static MannWhitney of(List<Double> first, List<Double> second) {
    record Value(double value, boolean second) {}

    List<Value> all = new ArrayList<>();
    first.forEach(value -> all.add(new Value(value, false)));
    second.forEach(value -> all.add(new Value(value, true)));
    all.sort(Comparator.comparingDouble(Value::value));
    double rankSum = 0;
    for (int start = 0, end; start < all.size(); start = end) {
      end = start;
      while (end < all.size() && all.get(end).value == all.get(start).value) {
        end++;
      }
      double rank = (start + 1 + end) / 2.0;
      rankSum += rank * all.subList(start, end).stream().filter(Value::second).count();
    }
    double n = first.size();
    double m = second.size();
    double u = rankSum - m * (m + 1) / 2;
    return new MannWhitney(u / (n * m), (u - n * m / 2) / Math.sqrt(n * m * (n + m + 1) / 12));
  }
}
