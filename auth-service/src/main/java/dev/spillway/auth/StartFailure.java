package dev.spillway.auth;

import io.quarkus.runtime.Application;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.QuarkusBindException;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Collectors;
import org.flywaydb.core.api.FlywayException;
import org.jboss.logging.Logger;

/** Says why the service did not start: what an operator can cure by itself, a bug by its trace. */
final class StartFailure {
  private StartFailure() {}

  /**
   * Ends the process.
   *
   * @param failure null after an orderly end
   */
  static void exit(int code, Throwable failure) {
    if (failure != null) {
      plain(failure)
          .ifPresentOrElse(
              System.err::println,
              () -> Logger.getLogger(Application.class).error("Failed to start", failure));
    }
    System.exit(code);
  }

  private static Optional<String> plain(Throwable failure) {
    String said = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      said =
          switch (cause) {
            case ConfigurationException wrong -> wrong.getMessage();
            // A setting that two mappings have is found twice.
            case ConfigValidationException wrong ->
                wrong.getMessage().lines().distinct().collect(Collectors.joining("\n"));
            case PreventFurtherStepsException refused -> refused.getMessage();
            case QuarkusBindException taken ->
                "Port %d of %s is in use by another process, or not ours to listen on"
                    .formatted(taken.getPort(), taken.getHost());
            // The innermost knows best.
            case SQLException database -> database(database);
            case FlywayException migration -> migration.getMessage();
            default -> said;
          };
    }
    return Optional.ofNullable(said);
  }

  private static String database(SQLException e) {
    return """
    The database cannot be used: %s (SQL state %s)
    Its settings are spillway.database.kind, .url, .username and .password"""
        .formatted(e.getMessage().lines().findFirst().orElse("no reason given"), e.getSQLState());
  }
}
