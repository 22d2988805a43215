package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;

class SpringHashPoolTest extends HashPoolContract {
  @Override
  DigestEngine engine() {
    return new SpringDigestEngine();
  }
}
