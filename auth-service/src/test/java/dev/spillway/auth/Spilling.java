package dev.spillway.auth;

import dev.spillway.hashing.spill.balance.CoolDown;
import io.quarkus.test.junit.QuarkusTestProfile;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.ConfigProvider;

/** The service with one function to spill to, at a port of this machine that a test serves. */
public class Spilling implements QuarkusTestProfile {
  private static final String ENDPOINT = "spillway.spill.targets.fake.endpoint";
  public static final String FUNCTION = "spillway-digest:live";
  public static final int MAX_OUTSTANDING = 64;

  @Override
  public Map<String, String> getConfigOverrides() {
    credentials();
    Map<String, String> config = new HashMap<>();
    config.put("spillway.bootstrap.admin-password", LocalOnly.ADMIN_PASSWORD);
    config.put("spillway.hashing.cost", "4");
    config.put("spillway.hashing.deadline", "3s");
    // Longer than a line of a test takes, as known from its rate, on a loaded machine.
    config.put("spillway.pool.max-wait", "2500ms");
    config.put("spillway.pool.threads", "1");
    config.put("spillway.pool.lanes", "1");
    config.put("spillway.pool.priority", "normal");
    config.put("spillway.spill.targets.fake.function", FUNCTION);
    config.put("spillway.spill.targets.fake.region", "eu-central-1");
    config.put(ENDPOINT, "http://localhost:" + FreePort.next());
    config.put("spillway.spill.targets.fake.max-outstanding", String.valueOf(MAX_OUTSTANDING));
    return config;
  }

  @Override
  public Set<Class<?>> getEnabledAlternatives() {
    return Set.of(ShortCoolDown.class);
  }

  /** No test waits for a target's cool-down to end. */
  @Alternative
  @ApplicationScoped
  public static class ShortCoolDown {
    @Produces
    @Singleton
    CoolDown coolDown() {
      return new CoolDown(Duration.ofMillis(1), Duration.ofMillis(1));
    }
  }

  /** Where the function is to be, for a test that runs under this profile. */
  public static URI endpoint() {
    return ConfigProvider.getConfig().getValue(ENDPOINT, URI.class);
  }

  /** The first place where AWS's own chain of providers looks. */
  public static void credentials() {
    System.setProperty("aws.accessKeyId", "test-key");
    System.setProperty("aws.secretAccessKey", "test-secret");
  }
}
