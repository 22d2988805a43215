package dev.spillway.auth.http;

import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigUtils;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Check that the profile {@code local} listens on loopback only: it has a demo user, an open
 * dashboard, and no throttle for loopback.
 */
@ApplicationScoped
class LoopbackOnly {
  private static final String LOCAL = "local";

  void check(
      @Observes @Priority(1) StartupEvent start,
      @ConfigProperty(name = "quarkus.http.host") String host) {
    check(ConfigUtils.getProfiles(), host);
  }

  /**
   * @throws PreventFurtherStepsException if this must not start
   */
  static void check(List<String> profiles, String host) {
    boolean loopback =
        host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
    if (profiles.contains(LOCAL) && !loopback) {
      throw new PreventFurtherStepsException(
          "The profile local has a demo user with a well-known password: it listens on loopback"
              + " only, and quarkus.http.host is "
              + host,
          1);
    }
  }
}
