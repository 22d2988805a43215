package dev.spillway.auth.admin;

import dev.spillway.auth.LocalOnly;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

@QuarkusTest
@TestProfile(H2AuditedChangesTest.OnH2.class)
class H2AuditedChangesTest extends AuditedChangesContract {
  /** A start of its own: keys rotate once in six minutes. */
  public static final class OnH2 extends LocalOnly {}
}
