package dev.spillway.auth;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.HashMap;
import java.util.Map;

/**
 * The service with a pool of one, cheap hashes and nowhere to spill to. Tests of the API share it:
 * each profile is another start.
 */
public class LocalOnly implements QuarkusTestProfile {
  public static final String ADMIN = "root";
  public static final String ADMIN_PASSWORD = "first admin's password";

  /** Cost of new hashes. */
  public static final int COST = 4;

  public static final int MAX_COST = 14;

  @Override
  public Map<String, String> getConfigOverrides() {
    Map<String, String> config = new HashMap<>();
    config.put("spillway.bootstrap.admin-login", ADMIN);
    config.put("spillway.bootstrap.admin-password", ADMIN_PASSWORD);
    config.put("spillway.hashing.cost", String.valueOf(COST));
    config.put("spillway.hashing.max-cost", String.valueOf(MAX_COST));
    config.put("spillway.hashing.deadline", "5s");
    config.put("spillway.pool.threads", "1");
    config.put("spillway.pool.lanes", "1");
    // Tests share their machine: a hash that steps aside for everybody might never end.
    config.put("spillway.pool.priority", "normal");
    // Longer than a loaded machine takes to get a test's callers in line.
    config.put("spillway.pool.max-wait", "4s");
    config.put("quarkus.log.min-level", "TRACE");
    return config;
  }
}
