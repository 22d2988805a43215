package dev.spillway.auth.hashing.spill;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Makes the spill from its configuration. */
@ApplicationScoped
class SpillWiring {
  private static final Logger LOG = Logger.getLogger(Spill.class);

  @Produces
  @Singleton
  Spill spill(SpillConfig config, MeterRegistry registry) {
    if (config.targets().isEmpty()) {
      LOG.warn("Nothing to spill to (spillway.spill.targets is empty): the pool serves alone");
      return Spill.none(registry);
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
