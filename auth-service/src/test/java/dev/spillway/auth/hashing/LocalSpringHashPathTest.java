package dev.spillway.auth.hashing;

import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;

/** The contract on the local path, with spring-security-crypto. */
class LocalSpringHashPathTest extends LocalHashPathTest {
  @Override
  DigestEngine engine() {
    return new SpringDigestEngine();
  }
}
