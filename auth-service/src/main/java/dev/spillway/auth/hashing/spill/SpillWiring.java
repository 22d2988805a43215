package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.balance.CoolDown;
import dev.spillway.auth.hashing.spill.balance.LeastOutstanding;
import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import dev.spillway.auth.hashing.spill.lambda.SigningCredentials;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.DefaultBean;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
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
    List<SpillTarget> targets = new ArrayList<>();
    plan.targets().forEach((name, target) -> targets.add(connected(name, target)));
    if (targets.isEmpty()) {
      LOG.warn("No spill targets configured (spillway.spill.targets): hashing locally only");
    }
    targets.forEach(target -> LOG.infof("Spilling to %s", target));
    config
        .sealing()
        .use()
        .ifPresent(key -> LOG.infof("Spilled passwords are sealed with the key %s", key));
    return new Spill(
        new Targets(
            new LeastOutstanding(
                targets.stream().map(target -> target.plan().maxOutstanding()).toList(),
                coolDown,
                System::nanoTime,
                bound -> ThreadLocalRandom.current().nextInt(bound)),
            targets),
        SpillRules.USUAL,
        Sealing.of(config.sealing()),
        registry);
  }

  private SpillTarget connected(String name, SpillPlan.Target target) {
    TargetAddress address = target.address();
    return new SpillTarget(
        name,
        target,
        new LambdaEndpoint(
            name, address.call(), address.region(), CONNECT_TIMEOUT, credentials()));
  }

  void close(@Disposes Spill spill) {
    spill.close();
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
