package dev.spillway.auth.cloudwatch;

import io.micrometer.cloudwatch2.CloudWatchMeterRegistry;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;

/**
 * Sender of the few metrics to CloudWatch, once a minute, by which infra/auth-service.yaml scales
 * and alarms. All metrics are at {@code /q/metrics}; CloudWatch charges $0.30 a month for each and
 * scales by its own only.
 */
@ApplicationScoped
class CloudWatchMetrics {
  static final String NAMESPACE = "Spillway";

  /** The alarms' period. */
  static final Duration STEP = Duration.ofMinutes(1);

  private static final Set<String> SENT =
      Set.of("spillway.hashing", "spillway.pool.wait", "spillway.spill.misconfigured");

  private final Optional<String> service;
  private final MeterRegistry all;
  private final Clock clock;
  private Optional<CloudWatchMeterRegistry> sent = Optional.empty();
  private Optional<CloudWatchAsyncClient> client = Optional.empty();

  @Inject
  CloudWatchMetrics(CloudWatchConfig config, MeterRegistry all) {
    this(config, all, Clock.SYSTEM);
  }

  CloudWatchMetrics(CloudWatchConfig config, MeterRegistry all, Clock clock) {
    this.service = config.service();
    this.all = all;
    this.clock = clock;
  }

  void start(@Observes StartupEvent event) {
    service.ifPresent(this::send);
  }

  /** Sends what the last minute has been so far. */
  void stop(@Observes ShutdownEvent event) {
    sent.ifPresent(
        registry -> {
          if (all instanceof CompositeMeterRegistry composite) {
            composite.remove(registry);
          }
          registry.close();
        });
    client.ifPresent(CloudWatchAsyncClient::close);
  }

  private void send(String name) {
    if (!(all instanceof CompositeMeterRegistry composite)) {
      throw new IllegalStateException("metrics cannot be sent beside " + all.getClass());
    }
    // A CloudWatch that does not answer must not keep a drained service from ending.
    CloudWatchAsyncClient calls =
        CloudWatchAsyncClient.builder()
            .overrideConfiguration(o -> o.apiCallTimeout(Duration.ofSeconds(3)))
            .build();
    client = Optional.of(calls);
    var registry = new CloudWatchMeterRegistry(CloudWatchMetrics::setting, clock, calls);
    registry.config().commonTags("service", name).meterFilter(MeterFilter.denyUnless(this::isSent));
    composite.add(registry);
    sent = Optional.of(registry);
  }

  private boolean isSent(Meter.Id id) {
    return SENT.contains(id.getName());
  }

  private static String setting(String key) {
    return switch (key) {
      case "cloudwatch.namespace" -> NAMESPACE;
      case "cloudwatch.step" -> STEP.toString();
      default -> null;
    };
  }
}
