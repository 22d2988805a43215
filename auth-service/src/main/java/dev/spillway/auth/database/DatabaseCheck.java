package dev.spillway.auth.database;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Readiness check: no login is answered without a database that accepts writes. Its answer has no
 * details, because it is public and the driver's messages contain the database's address.
 */
@Readiness
@ApplicationScoped
class DatabaseCheck implements HealthCheck {
  private final Database database;

  DatabaseCheck(Database database) {
    this.database = database;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("database").status(database.isWritable()).build();
  }
}
