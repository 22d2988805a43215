package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import dev.spillway.auth.hashing.spill.lambda.LambdaTransport;
import dev.spillway.auth.hashing.spill.lambda.SigningCredentials;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.balance.CoolDown;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jboss.logging.Logger;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Makes the spill from its configuration, and refuses what cannot work. */
@ApplicationScoped
class SpillWiring {
  private static final Logger LOG = Logger.getLogger(Spill.class);

  private static final Duration LONGEST_COOL_DOWN = Duration.ofMinutes(10);

  /** Looked for when there is something to sign; guarded by the monitor. */
  private SigningCredentials credentials;

  @Produces
  @Singleton
  Spill spill(SpillConfig config, MeterRegistry registry) {
    check(config);
    SpillPlan plan = SpillPlan.of(config);
    if (plan.targets().isEmpty()) {
      LOG.warn("No spill targets configured (spillway.spill.targets): hashing locally only");
    }
    plan.targets().forEach((name, target) -> LOG.infof("Spilling to %s: %s", name, target));
    config
        .sealing()
        .use()
        .ifPresent(key -> LOG.infof("Spilled passwords are sealed with the key %s", key));
    return new Spill(
        plan.maxOutstanding(),
        new CoolDown(config.coolDown(), config.longestCoolDown()),
        plan.rules(),
        Sealing.of(config.sealing()),
        new LambdaTransport(endpoints(plan, config.connectTimeout())),
        MicrometerMeters.spill(registry));
  }

  private Map<String, LambdaEndpoint> endpoints(SpillPlan plan, Duration connectTimeout) {
    Map<String, LambdaEndpoint> endpoints = new HashMap<>();
    plan.targets()
        .forEach(
            (name, target) -> {
              TargetAddress address = target.address();
              endpoints.put(
                  name,
                  new LambdaEndpoint(
                      address.call(), address.region(), connectTimeout, credentials()));
            });
    return endpoints;
  }

  @PreDestroy
  synchronized void close() {
    if (credentials != null) {
      credentials.close();
    }
  }

  private synchronized SigningCredentials credentials() {
    if (credentials == null) {
      credentials =
          new SigningCredentials(
              DefaultCredentialsProvider.builder().asyncCredentialUpdateEnabled(true).build());
    }
    return credentials;
  }

  private static void check(SpillConfig config) {
    SpillPlan.within(
        "connect-timeout", config.connectTimeout(), Duration.ofMillis(1), Duration.ofSeconds(10));
    SpillPlan.within("cool-down", config.coolDown(), Duration.ofMillis(1), LONGEST_COOL_DOWN);
    SpillPlan.within(
        "longest-cool-down", config.longestCoolDown(), config.coolDown(), LONGEST_COOL_DOWN);
  }
}
