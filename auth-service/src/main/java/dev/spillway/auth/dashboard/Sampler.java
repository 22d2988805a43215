package dev.spillway.auth.dashboard;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Reader of the meters that {@code /q/metrics} shows. It reads Prometheus's registry, whose counts
 * never restart while the service runs.
 */
@Singleton
class Sampler {
  private static final String SPILL = "spillway.spill.";

  private final PrometheusMeterRegistry meters;

  Sampler(PrometheusMeterRegistry meters) {
    this.meters = meters;
  }

  Sample sample() {
    return new Sample(
        System.currentTimeMillis(),
        value("process.uptime"),
        pool(),
        counts("spillway.hashing", "path"),
        counts("spillway.login", "outcome"),
        latency(),
        spill(),
        new Sample.Spend(
            value("spillway.spend.stopped") > 0,
            values("spillway.spend.money", "span"),
            values("spillway.spend.share", "span")));
  }

  private Sample.Pool pool() {
    Timer wait = meters.find("spillway.pool.wait").tag("outcome", "admitted").timer();
    return new Sample.Pool(
        (int) value("spillway.pool.size"),
        (int) value("spillway.pool.permits.used"),
        (int) value("spillway.pool.threads"),
        (int) value("spillway.pool.waiting"),
        (int) value("spillway.hashing.cost"),
        value("spillway.hashing.wait.estimate"),
        value("spillway.pool.hash.estimate"),
        wait == null ? 0 : wait.count(),
        wait == null ? 0 : wait.totalTime(TimeUnit.SECONDS),
        value("spillway.pool.cpu.share"),
        values("spillway.pool.cpu.short", "cause").entrySet().stream()
            .filter(cause -> cause.getValue() > 0)
            .map(Map.Entry::getKey)
            .findAny()
            .orElse(""));
  }

  private Sample.Spill spill() {
    Map<String, Double> most = values(SPILL + "outstanding.max", "target");
    Map<String, Double> cooling = values(SPILL + "cooling", "target");
    Map<String, Double> misconfigured = values(SPILL + "misconfigured", "target");
    List<Sample.Target> targets = new ArrayList<>();
    values(SPILL + "outstanding", "target")
        .forEach(
            (name, pending) ->
                targets.add(
                    new Sample.Target(
                        name,
                        pending.intValue(),
                        most.getOrDefault(name, 0.0).intValue(),
                        cooling.getOrDefault(name, 0.0) > 0,
                        misconfigured.getOrDefault(name, 0.0) > 0)));
    return new Sample.Spill(
        (int) value(SPILL + "waiting"),
        value(SPILL + "outstanding.mean"),
        value(SPILL + "outstanding.variance"),
        targets);
  }

  /** The buckets are the same ones for every status: LoginTimes gives them by the path. */
  private List<Sample.Bucket> latency() {
    SortedMap<Double, Double> within = new TreeMap<>();
    double all = 0;
    for (Timer timer : meters.find("http.server.requests").tag("uri", "/login").timers()) {
      String status = timer.getId().getTag("status");
      if (!"200".equals(status) && !"401".equals(status)) {
        continue;
      }
      for (CountAtBucket bucket : timer.takeSnapshot().histogramCounts()) {
        double upTo = bucket.bucket(TimeUnit.SECONDS);
        if (Double.isFinite(upTo)) {
          within.merge(upTo, bucket.count(), Double::sum);
        }
      }
      all += timer.count();
    }
    List<Sample.Bucket> buckets = new ArrayList<>();
    within.forEach((upTo, count) -> buckets.add(new Sample.Bucket(upTo, count)));
    buckets.add(new Sample.Bucket(null, all));
    return buckets;
  }

  private double value(String name) {
    Gauge gauge = meters.find(name).gauge();
    if (gauge != null) {
      return finite(gauge.value());
    }
    var time = meters.find(name).timeGauge();
    return time == null ? 0 : finite(time.value(TimeUnit.SECONDS));
  }

  private Map<String, Double> values(String name, String tag) {
    return byTag(meters.find(name).gauges(), tag, Gauge::value);
  }

  private Map<String, Double> counts(String name, String tag) {
    return byTag(meters.find(name).counters(), tag, Counter::count);
  }

  private static <M extends Meter> Map<String, Double> byTag(
      Collection<M> found, String tag, ToDoubleFunction<M> value) {
    Map<String, Double> byTag = new TreeMap<>();
    for (M meter : found) {
      String key = meter.getId().getTag(tag);
      if (key != null) {
        byTag.merge(key, finite(value.applyAsDouble(meter)), Double::sum);
      }
    }
    return byTag;
  }

  /** What cannot be known is not a number, which JSON has no word for. */
  private static double finite(double value) {
    return Double.isFinite(value) ? value : 0;
  }
}
