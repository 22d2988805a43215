package dev.spillway.auth.hashing.spill;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Makes the spill from its configuration. */
@ApplicationScoped
class SpillWiring {
  private static final Logger LOG = Logger.getLogger(Spill.class);
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  @Produces
  @Singleton
  Spill spill(SpillConfig config, MeterRegistry registry) {
    if (config.targets().isEmpty()) {
      LOG.warn("Nothing to spill to (spillway.spill.targets is empty): the pool serves alone");
      return new Spill(List.of(), registry);
    }
    Duration connectTimeout = config.connectTimeout();
    if (connectTimeout.toMillis() < 1 || connectTimeout.compareTo(LONGEST_CONNECT) > 0) {
      throw new IllegalArgumentException(
          "spillway.spill.connect-timeout must be at least 1 ms and at most 10 s");
    }
    AwsCredentialsProvider credentials =
        DefaultCredentialsProvider.builder().asyncCredentialUpdateEnabled(true).build();
    return new Spill(
        config.targets().entrySet().stream()
            .map(entry -> target(entry.getKey(), entry.getValue(), config, credentials))
            .toList(),
        registry);
  }

  private static SpillTarget target(
      String name,
      SpillConfig.Target target,
      SpillConfig config,
      AwsCredentialsProvider credentials) {
    TargetAddress address = TargetAddress.of(name, target);
    LambdaApi api =
        QuarkusRestClientBuilder.newBuilder()
            .baseUri(address.endpoint())
            .register(new SigV4Filter(credentials, address.region()))
            .connectTimeout(config.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
            // Every call has its own deadline; a second timeout beside it could only be wrong.
            .readTimeout(0, TimeUnit.MILLISECONDS)
            // A smaller pool would be a second, hidden queue with no timeout of its own.
            .property("io.quarkus.rest.client.connection-pool-size", target.maxOutstanding())
            // Statuses are answers here, not exceptions.
            .property("microprofile.rest.client.disable.default.mapper", true)
            .followRedirects(false)
            .build(LambdaApi.class);
    LOG.infof(
        "Spilling to %s: %s at %s, at most %d calls outstanding",
        name, address.function(), address.endpoint(), target.maxOutstanding());
    return new SpillTarget(name, address.function(), api, target.maxOutstanding());
  }
}
