package dev.spillway.auth.login;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * Histogram buckets of {@code http_server_requests_seconds} for {@code POST /login}, from which
 * percentiles are estimated. Quarkus times a request from its head to the end of its answer.
 */
@Singleton
class LoginTimes implements MeterFilter {
  /** In nanoseconds, as Micrometer has them. Close together where most logins end. */
  private static final double[] BUCKETS =
      IntStream.of(
              10, 25, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 5000)
          .mapToDouble(millis -> Duration.ofMillis(millis).toNanos())
          .toArray();

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    if (!id.getName().equals("http.server.requests") || !"/login".equals(id.getTag("uri"))) {
      return config;
    }
    return DistributionStatisticConfig.builder()
        .serviceLevelObjectives(BUCKETS)
        .build()
        .merge(config);
  }
}
