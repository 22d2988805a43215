package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import dev.spillway.auth.hashing.spill.lambda.LambdaTransport;
import dev.spillway.auth.hashing.spill.lambda.SigningCredentials;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.call.SpillRules;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.DefaultBean;
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

  /** A lost packet costs a second; a Lambda endpoint across an ocean needs 200 ms. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  /** Looked for when there is something to sign; guarded by the monitor. */
  private SigningCredentials credentials;

  /** Tests have a shorter one. */
  @Produces
  @Singleton
  @DefaultBean
  CoolDown coolDown() {
    return CoolDown.USUAL;
  }

  @Produces
  @Singleton
  Spill spill(SpillConfig config, CoolDown coolDown, MeterRegistry registry) {
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
        coolDown,
        SpillRules.USUAL,
        Sealing.of(config.sealing()),
        new LambdaTransport(endpoints(plan)),
        MicrometerMeters.spill(registry));
  }

  private Map<String, LambdaEndpoint> endpoints(SpillPlan plan) {
    Map<String, LambdaEndpoint> endpoints = new HashMap<>();
    plan.targets()
        .forEach(
            (name, target) -> {
              TargetAddress address = target.address();
              endpoints.put(
                  name,
                  new LambdaEndpoint(
                      name, address.call(), address.region(), CONNECT_TIMEOUT, credentials()));
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
}
