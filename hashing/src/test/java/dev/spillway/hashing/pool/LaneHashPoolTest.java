package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.lanes.LaneDigestEngine;

class LaneHashPoolTest extends HashPoolContract {
  @Override
  DigestEngine engine() {
    return new LaneDigestEngine(3);
  }
}
