package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.balance.CoolDown;
import dev.spillway.auth.hashing.spill.balance.LeastOutstanding;
import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import dev.spillway.auth.hashing.spill.lambda.SigningCredentials;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Makes the spill from its configuration, and refuses what cannot work. */
@ApplicationScoped
class SpillWiring {
  private static final Logger LOG = Logger.getLogger(Spill.class);

  private static final Duration LONGEST_COOL_DOWN = Duration.ofMinutes(10);

  private SigningCredentials credentials;

  @Produces
  @Singleton
  Spill spill(SpillConfig config, MeterRegistry registry) {
    check(config);
    if (config.targets().isEmpty()) {
      LOG.warn("Nothing to spill to (spillway.spill.targets is empty): the pool serves alone");
      return Spill.none(registry);
    }
    credentials =
        new SigningCredentials(
            DefaultCredentialsProvider.builder().asyncCredentialUpdateEnabled(true).build());
    List<SpillTarget> targets =
        config.targets().entrySet().stream()
            .map(entry -> target(entry.getKey(), entry.getValue(), config))
            .toList();
    return new Spill(
        targets,
        new LeastOutstanding(
            targets.stream().map(SpillTarget::maxOutstanding).toList(),
            new CoolDown(config.coolDown(), config.longestCoolDown()),
            System::nanoTime,
            bound -> ThreadLocalRandom.current().nextInt(bound)),
        new SpillRules(
            config.groupWait(), config.maxGroup(), config.retryPercent(), config.hedge()),
        registry);
  }

  @PreDestroy
  void close() {
    if (credentials != null) {
      credentials.close();
    }
  }

  private SpillTarget target(String name, SpillConfig.Target target, SpillConfig config) {
    TargetAddress address = TargetAddress.of(name, target);
    LOG.infof(
        "Spilling to %s: %s at %s, at most %d calls outstanding",
        name, address.function(), address.endpoint(), target.maxOutstanding());
    return new SpillTarget(
        name,
        new LambdaEndpoint(
            address.call(),
            address.region(),
            target.maxOutstanding(),
            config.connectTimeout(),
            credentials),
        target.maxOutstanding());
  }

  private static void check(SpillConfig config) {
    within(
        "connect-timeout", config.connectTimeout(), Duration.ofMillis(1), Duration.ofSeconds(10));
    within("cool-down", config.coolDown(), Duration.ofMillis(1), LONGEST_COOL_DOWN);
    within("longest-cool-down", config.longestCoolDown(), config.coolDown(), LONGEST_COOL_DOWN);
    within("group-wait", config.groupWait(), Duration.ZERO, Duration.ofSeconds(1));
  }

  private static void within(String key, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "spillway.spill." + key + " must be from " + least + " to " + most);
    }
  }
}
