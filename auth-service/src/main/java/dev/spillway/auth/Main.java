package dev.spillway.auth;

import dev.spillway.auth.http.HeadLimit;
import io.quarkus.runtime.Application;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import sun.misc.Signal;

/**
 * Starts the service, and ends it with exit code 0 when SIGTERM has drained it. By itself the JVM
 * would say 143 whatever became of the drain, and whoever started it could not tell a clean end
 * from a killed process.
 *
 * <p>While the service starts SIGTERM ends it at once, with 143. SIGINT stays the JVM's: 130.
 */
@QuarkusMain
public final class Main {
  private static final int ENDED_BY_SIGTERM = 128 + 15;

  public static void main(String... args) {
    HeadLimit.install();
    Signal.handle(
        new Signal("TERM"),
        signal -> {
          Application service = Application.currentApplication();
          if (service != null && service.isStarted()) {
            Quarkus.asyncExit(0); // by way of quarkus.shutdown.delay and .timeout
          } else {
            System.exit(ENDED_BY_SIGTERM);
          }
        });
    Quarkus.run(null, StartFailure::exit, args);
  }
}
