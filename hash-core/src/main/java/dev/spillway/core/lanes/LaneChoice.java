package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * How many lanes suit this machine. It depends on the processor's registers and first-level cache,
 * on how well the compiler allocated the former, and on what runs beside it, so it is measured: in
 * pairs of the lanes in use and another number, which alternate within 100 ms of CPU time, so that
 * what the machine does meanwhile falls on both. A finding is the median of many pairs, spread over
 * as much time as the caller takes. Confined to one thread.
 */
public final class LaneChoice {
  /** Lanes before anything is measured: at most a tenth from the best on every machine seen. */
  public static final int BEFOREHAND = 4;

  private static final int[] CANDIDATES = {2, 3, 4, 5};
  private static final BcryptSetting SETTING =
      BcryptSetting.parse("$2b$07$CCCCCCCCCCCCCCCCCCCCC."); // 2 ms in each of several lanes

  /** Of each candidate, before a finding. */
  private static final int PAIRS = 9;

  /** Pairs of each candidate that are not counted: its kernel is being compiled. */
  private static final int WARM_UP = 5;

  /**
   * More lanes make each hash longer, so they must earn it: 3 % more hashes for each CPU second.
   * Fewer lanes need only be faster. The gap keeps the choice from going to and fro.
   */
  private static final double WORTH_IT = 1.03;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int threads;
  private final Runnable onThread;
  private final Map<Integer, List<Double>> ratios = new TreeMap<>();
  private int inUse;
  private int warm;
  private int next;

  /**
   * @param inUse the lanes to start from
   * @param threads that measure at the same time, as many as hash under load: they share caches
   * @param onThread run first by each of them, for instance to lower its priority
   */
  public LaneChoice(int inUse, int threads, Runnable onThread) {
    this.inUse = inUse;
    this.threads = threads;
    this.onThread = onThread;
  }

  /**
   * What enough pairs came to.
   *
   * @param lanes the best, from now on taken to be in use
   * @param why the figures, in words for the log
   */
  public record Finding(int lanes, boolean changed, String why) {}

  /** A finding at once, on this many threads; takes some seconds. */
  public static Finding measured(int threads) {
    LaneChoice choice = new LaneChoice(BEFOREHAND, threads, () -> {});
    while (true) {
      Optional<Finding> finding = choice.pair(() -> false);
      if (finding.isPresent()) {
        return finding.get();
      }
    }
  }

  /**
   * Measures one pair, some 50 ms of CPU time on each thread, and returns the finding that it
   * completes, if any.
   *
   * @param disturbed whether the threads are needed otherwise; asked once a millisecond or so. The
   *     pair then counts for nothing.
   */
  public Optional<Finding> pair(BooleanSupplier disturbed) {
    int[] others = Arrays.stream(CANDIDATES).filter(lanes -> lanes != inUse).toArray();
    int candidate = others[next % others.length];
    List<FutureTask<Double>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      FutureTask<Double> task = new FutureTask<>(() -> ratio(candidate, disturbed));
      tasks.add(task);
      Thread.ofPlatform().name("lane-choice-" + i).daemon().start(task);
    }
    double sum = 0;
    for (FutureTask<Double> task : tasks) {
      sum += result(task);
    }
    if (Double.isNaN(sum)) {
      return Optional.empty();
    }
    next++;
    if (warm < WARM_UP * others.length) {
      warm++;
      return Optional.empty();
    }
    ratios.computeIfAbsent(candidate, lanes -> new ArrayList<>()).add(sum / threads);
    if (ratios.size() < others.length
        || ratios.values().stream().anyMatch(list -> list.size() < PAIRS)) {
      return Optional.empty();
    }
    Map<Integer, Double> medians = new TreeMap<>();
    ratios.forEach((lanes, list) -> medians.put(lanes, median(list)));
    ratios.clear();
    Finding finding = of(inUse, medians);
    inUse = finding.lanes();
    return Optional.of(finding);
  }

  /**
   * @param medians hashes per CPU second of other numbers of lanes against those in use
   */
  static Finding of(int inUse, Map<Integer, Double> medians) {
    int best = inUse;
    double most = 1;
    for (var median : medians.entrySet()) {
      boolean earnsIt = median.getKey() < inUse || median.getValue() > WORTH_IT;
      if (earnsIt && median.getValue() > most) {
        best = median.getKey();
        most = median.getValue();
      }
    }
    String figures =
        medians.entrySet().stream()
            .map(
                median -> String.format(Locale.ROOT, "%d %.2f", median.getKey(), median.getValue()))
            .collect(Collectors.joining(", "));
    return new Finding(
        best,
        best != inUse,
        best + " for each thread; hashes per CPU second against " + inUse + " lanes: " + figures);
  }

  private double ratio(int candidate, BooleanSupplier disturbed) {
    onThread.run();
    double before = hashesPerCpuSecond(inUse, disturbed);
    double other = hashesPerCpuSecond(candidate, disturbed);
    double after = hashesPerCpuSecond(inUse, disturbed);
    return other / ((before + after) / 2);
  }

  /** NaN if disturbed. */
  private static double hashesPerCpuSecond(int lanes, BooleanSupplier disturbed) {
    int count = 2 * lanes;
    Queue<DigestJob> jobs = new ArrayDeque<>();
    boolean[] stopped = new boolean[1];
    for (int i = 0; i < count; i++) {
      jobs.add(new Sample(new byte[] {(byte) i}, () -> stopped[0] |= disturbed.getAsBoolean()));
    }
    long start = THREADS.getCurrentThreadCpuTime();
    new LaneDigestEngine(lanes).run(jobs.remove(), jobs::poll);
    long took = THREADS.getCurrentThreadCpuTime() - start;
    return stopped[0] ? Double.NaN : count * 1e9 / Math.max(1, took);
  }

  private static double result(FutureTask<Double> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Double.NaN;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private record Sample(byte[] password, BooleanSupplier unwanted) implements DigestJob {
    @Override
    public BcryptSetting setting() {
      return SETTING;
    }

    @Override
    public boolean abandoned() {
      return unwanted.getAsBoolean();
    }

    @Override
    public void end(DigestResult result) {
      // only the time counts
    }
  }
}
