package dev.spillway.auth.database;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * D2, behind a pooler in transaction mode: one transaction's session is another's the next time.
 */
@QuarkusTest
@TestProfile(PoolerTest.BehindPooler.class)
@QuarkusTestResource(value = Pooler.class, restrictToAnnotatedClass = true)
@EnabledIfSystemProperty(named = "slow.tests", matches = "true", disabledReason = "slow")
@EnabledIf("dev.spillway.auth.database.Pooler#isInstalled")
class PoolerTest extends LoginsMeanwhile {
  /** Its own, for another start. */
  public static class BehindPooler extends Service {}

  Pooler pooler;

  @Test
  void sessionsChangeHands() {
    for (int i = 0; i < 100; i++) {
      awaitGrants();
    }
  }

  @Test
  void killedPooler() throws Exception {
    pooler.kill();
    awaitRefusals();
    pooler.restart();
    awaitRecovery("pooler killed and restarted");
  }
}
