package dev.spillway.lambda;

import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.lanes.Engines;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Chooses the engine when the execution environment starts. */
@ApplicationScoped
class EngineChoice {
  private static final Logger LOG = Logger.getLogger(EngineChoice.class);

  @Produces
  @Singleton
  DigestEngine engine(FunctionConfig config) {
    return switch (config.engine()) {
      case LANES -> Engines.proven(config.lanes(), LOG::error);
      case SPRING -> new SpringDigestEngine();
    };
  }
}
