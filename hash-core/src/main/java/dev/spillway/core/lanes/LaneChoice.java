package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.stream.Collectors;

/**
 * How many lanes suit this machine. It depends on the processor's registers and first-level cache,
 * and on how well the compiler allocated the former, so it is measured.
 *
 * @param why the figures, in words for the log
 */
public record LaneChoice(int lanes, String why) {
  private static final int[] CANDIDATES = {2, 3, 4};
  private static final BcryptSetting SETTING =
      BcryptSetting.parse("$2b$06$CCCCCCCCCCCCCCCCCCCCC."); // 4 ms
  private static final int JOBS = 12; // divides by each candidate: all lanes full to the end
  private static final int WARM_UP_ROUNDS = 6;
  private static final int ROUNDS = 5;

  /**
   * More lanes make each hash longer, so they must earn it: 3 % more hashes for each CPU second.
   */
  private static final double WORTH_IT = 1.03;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Measures on the calling platform thread, some two seconds of its CPU time, most of it to let
   * the kernels be compiled. CPU time and alternation, because the machine has other work.
   */
  public static LaneChoice measured() {
    double[][] rates = new double[CANDIDATES.length][ROUNDS];
    for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (int i = 0; i < CANDIDATES.length; i++) {
        double rate = hashesPerCpuSecond(new LaneDigestEngine(CANDIDATES[i]));
        if (round >= 0) {
          rates[i][round] = rate;
        }
      }
    }
    double[] medians = Arrays.stream(rates).mapToDouble(LaneChoice::median).toArray();
    return of(CANDIDATES, medians);
  }

  static LaneChoice of(int[] candidates, double[] hashesPerCpuSecond) {
    int best = 0;
    for (int i = 1; i < candidates.length; i++) {
      if (hashesPerCpuSecond[i] > hashesPerCpuSecond[best] * WORTH_IT) {
        best = i;
      }
    }
    List<String> figures = new ArrayList<>();
    for (int i = 0; i < candidates.length; i++) {
      figures.add(
          String.format(
              Locale.ROOT,
              "%d lanes %.2f",
              candidates[i],
              hashesPerCpuSecond[i] / hashesPerCpuSecond[0]));
    }
    return new LaneChoice(
        candidates[best],
        candidates[best]
            + " for each thread; hashes per CPU second against "
            + candidates[0]
            + " lanes: "
            + figures.stream().collect(Collectors.joining(", ")));
  }

  private static double hashesPerCpuSecond(DigestEngine engine) {
    Queue<DigestJob> jobs = new ArrayDeque<>();
    for (int i = 0; i < JOBS; i++) {
      jobs.add(new Sample(new byte[] {(byte) i}));
    }
    Backlog backlog = jobs::poll;
    long start = THREADS.getCurrentThreadCpuTime();
    engine.run(jobs.remove(), backlog);
    return JOBS * 1e9 / Math.max(1, THREADS.getCurrentThreadCpuTime() - start);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private record Sample(byte[] password) implements DigestJob {
    @Override
    public BcryptSetting setting() {
      return SETTING;
    }

    @Override
    public boolean abandoned() {
      return false;
    }

    @Override
    public void end(DigestResult result) {
      // only the time counts
    }
  }
}
