package dev.spillway.benchmarks.line;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** A pool and the line before it, on a simulated clock. Times in ms. */
final class LineSimulation {
  /** Two cores, four lanes each, cost 10: 80 a second. */
  static final int SERVERS = 8;

  static final double SERVICE = 100;
  static final double PEAK_PER_SECOND = SERVERS * 1000 / SERVICE;

  /** A hash takes what it takes, more or less this much. */
  private static final double SPREAD = 0.1;

  /** Of so many last hashes the pool's rate is known. */
  private static final int MEASURED = 16;

  private final Discipline discipline;
  private final Load load;
  private final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final ArrayDeque<Login> line = new ArrayDeque<>();
  private final double[] lastServices = new double[MEASURED];
  private final Numbers served = new Numbers();
  private final Numbers refused = new Numbers();
  private double now;
  private double lastEmpty;
  private long sequence;
  private int serving;
  private int services;
  private int offered;

  LineSimulation(Discipline discipline, Load load, long seed) {
    this.discipline = discipline;
    this.load = load;
    this.random = new SplittableRandom(seed);
    Arrays.fill(lastServices, SERVICE);
  }

  Result run(double millis) {
    in(0, this::arrive);
    if (load.burst() > 0) {
      in(load.burstEvery(), this::burst);
    }
    while (now < millis) {
      Event next = events.remove();
      now = next.at;
      next.what.run();
    }
    return new Result(
        1000 * offered / millis,
        1000 * served.size / millis,
        served.quantile(0.5),
        served.quantile(0.99),
        refused.quantile(0.5),
        refused.quantile(0.99));
  }

  private void arrive() {
    login();
    double perSecond = PEAK_PER_SECOND * load.times().applyAsDouble(now);
    in(-Math.log(1 - random.nextDouble()) * 1000 / perSecond, this::arrive);
  }

  private void burst() {
    for (int i = 0; i < load.burst(); i++) {
      login();
    }
    in(load.burstEvery(), this::burst);
  }

  private void login() {
    offered++;
    Login login = new Login(now);
    if (serving < SERVERS) {
      serve(login);
      return;
    }
    if (!discipline.admits(line.size(), perSecond())) {
      refused.add(0);
      return;
    }
    // Before it joins: a line is empty until then.
    if (line.isEmpty()) {
      lastEmpty = now;
    }
    double patience = discipline.patience(now, lastEmpty);
    line.addLast(login);
    in(patience, () -> giveUp(login));
  }

  private void giveUp(Login login) {
    if (line.remove(login)) {
      refused.add(now - login.born);
      noteEmpty();
    }
  }

  private void serve(Login login) {
    serving++;
    double service =
        SERVICE * load.slower().applyAsDouble(now) * (1 + SPREAD * (2 * random.nextDouble() - 1));
    in(
        service,
        () -> {
          lastServices[services++ % MEASURED] = service;
          served.add(now - login.born);
          serving--;
          next();
        });
  }

  private void next() {
    if (line.isEmpty()) {
      return;
    }
    Login login = discipline.newestFirst(now, lastEmpty) ? line.removeLast() : line.removeFirst();
    noteEmpty();
    serve(login);
  }

  private void noteEmpty() {
    if (line.isEmpty()) {
      lastEmpty = now;
    }
  }

  private double perSecond() {
    return SERVERS * 1000 / Arrays.stream(lastServices).average().orElseThrow();
  }

  private void in(double millis, Runnable what) {
    events.add(new Event(now + millis, sequence++, what));
  }

  private static final class Login {
    private final double born;

    Login(double born) {
      this.born = born;
    }
  }

  private record Event(double at, long sequence, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Double.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  /** Of logins served: from their arrival to the end of their hash; of others: until refused. */
  record Result(
      double offeredPerSecond,
      double servedPerSecond,
      double servedP50,
      double servedP99,
      double refusedP50,
      double refusedP99) {}

  private static final class Numbers {
    private double[] values = new double[1024];
    private int size;

    void add(double value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    /** NaN if there are none. */
    double quantile(double part) {
      Arrays.sort(values, 0, size);
      return size == 0 ? Double.NaN : values[(int) Math.round(part * (size - 1))];
    }
  }
}
