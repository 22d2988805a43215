package dev.spillway.auth.database;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Without a database that takes changes no login is answered. Says no more than that, for everybody
 * may ask: the driver's words have the database's address in them.
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
