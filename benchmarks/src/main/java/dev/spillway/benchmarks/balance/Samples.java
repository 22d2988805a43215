package dev.spillway.benchmarks.balance;

import java.util.Arrays;

/** Numbers to be summed up. */
final class Samples {
  private double[] values = new double[1 << 16];
  private int size;

  void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  double mean() {
    return Arrays.stream(values, 0, size).average().orElse(0);
  }

  double quantile(double part) {
    Arrays.sort(values, 0, size);
    return size == 0 ? 0 : values[(int) (part * (size - 1))];
  }
}
