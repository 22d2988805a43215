package dev.spillway.lambda;

import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;

/** Chooses the engine when the execution environment starts. */
@ApplicationScoped
class EngineChoice {
  @Produces
  @ApplicationScoped
  DigestEngine engine() {
    return new SpringDigestEngine();
  }
}
