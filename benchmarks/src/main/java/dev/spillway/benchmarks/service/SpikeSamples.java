package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What is read off a service once a second while it is under load. */
final class SpikeSamples {
  private final Service service;
  private final boolean spillway;
  private final List<Sample> samples = new ArrayList<>();

  SpikeSamples(Service service, boolean spillway) {
    this.service = service;
    this.spillway = spillway;
  }

  /** Until closed; also shows how far it has come. */
  Clock everySecond(String label, SpikeShape shape) {
    long start = System.nanoTime();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    var _ =
        clock.scheduleAtFixedRate(
            () -> {
              take();
              progress(label, shape, (System.nanoTime() - start) / 1e9);
            },
            0,
            1,
            TimeUnit.SECONDS);
    return () -> {
      clock.shutdownNow();
      Progress.endBar();
    };
  }

  /** A service that is too busy to tell its metrics is the reason for a gap, not for an end. */
  private void take() {
    try {
      Usage usage = Usage.of(service);
      double local = spillway ? service.metric("spillway_hashing_total", "local") : Double.NaN;
      double spilled = spillway ? service.metric("spillway_hashing_total", "spilled") : Double.NaN;
      synchronized (samples) {
        samples.add(new Sample(usage, local, spilled));
      }
    } catch (IOException e) {
      // The next second has its own sample.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void progress(String label, SpikeShape shape, double seconds) {
    synchronized (samples) {
      String rates = "";
      if (samples.size() > 1) {
        Sample now = samples.getLast();
        Sample before = samples.get(samples.size() - 2);
        double elapsed = now.usage.since(before.usage).atNanos() / 1e9;
        rates =
            spillway
                ? "hashed here %.0f/s, spilled %.0f/s"
                    .formatted(
                        (now.local - before.local) / elapsed,
                        (now.spilled - before.spilled) / elapsed)
                : "%.1f cores".formatted(now.cores(before));
      }
      Progress.bar(
          label + (shape.inSpike(seconds) ? ", spike" : ""),
          seconds * 1e3 / shape.length().toMillis(),
          "offered %.0f/s, %s".formatted(shape.perSecond(seconds), rates));
    }
  }

  /** CPU while {@code window} lasted. */
  void tell(Window window, Map<String, Double> figures) {
    synchronized (samples) {
      List<Sample> inside =
          samples.stream().filter(one -> window.holds(one.usage.atNanos())).toList();
      if (inside.size() < 2) {
        return;
      }
      Usage used = inside.getLast().usage.since(inside.getFirst().usage);
      figures.put("spike: cores, service", used.cores(used.service()));
      figures.put("spike: cores, of that hashing", used.cores(used.hashing()));
      figures.put("spike: cores, load", used.cores(used.load()));
      if (spillway) {
        double local = inside.getLast().local - inside.getFirst().local;
        double spilled = inside.getLast().spilled - inside.getFirst().spilled;
        figures.put("spike: spilled, % of all hashed", 100 * spilled / (local + spilled));
      }
    }
  }

  List<SpikeResult.Second> course(
      SpikeShape shape, long startNanos, List<Attempt> attempts, List<Prober.Probe> probes) {
    List<SpikeResult.Second> course = new ArrayList<>();
    for (int i = 0; i < shape.length().toSeconds(); i++) {
      Window second =
          new Window(
              startNanos + TimeUnit.SECONDS.toNanos(i),
              startNanos + TimeUnit.SECONDS.toNanos(i + 1));
      List<Attempt> due = attempts.stream().filter(one -> second.holds(one.startNanos())).toList();
      int granted = (int) due.stream().filter(Attempt::granted).count();
      int shed = (int) due.stream().filter(Attempt::shed).count();
      Latencies latencies = Latencies.of(due.stream().filter(one -> !one.shed()).toList());
      Rates rates = rates(second);
      course.add(
          new SpikeResult.Second(
              due.size(),
              granted,
              shed,
              due.size() - granted - shed,
              latencies.millis(0.5),
              latencies.millis(0.99),
              Latencies.of(probes, service.api().health(), second).millis(0.99),
              rates.local,
              rates.spilled,
              rates.cores));
    }
    return course;
  }

  private Rates rates(Window second) {
    synchronized (samples) {
      for (int i = 1; i < samples.size(); i++) {
        Sample now = samples.get(i);
        Sample before = samples.get(i - 1);
        if (second.holds(now.usage.atNanos())) {
          double elapsed = now.usage.since(before.usage).atNanos() / 1e9;
          return new Rates(
              (now.local - before.local) / elapsed,
              (now.spilled - before.spilled) / elapsed,
              now.cores(before));
        }
      }
      return new Rates(Double.NaN, Double.NaN, Double.NaN);
    }
  }

  private record Rates(double local, double spilled, double cores) {}

  private record Sample(Usage usage, double local, double spilled) {
    double cores(Sample before) {
      Usage used = usage.since(before.usage);
      return used.cores(used.service());
    }
  }

  /** Ends without a checked exception. */
  interface Clock extends AutoCloseable {
    @Override
    void close();
  }
}
