package dev.spillway.auth.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.ConfigText;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** For tests of what is audited. */
public final class NoAudit {
  private NoAudit() {}

  /** Keeps nothing. */
  public static AuditLog log() {
    return new AuditLog(
        ConfigText.read(AuditConfig.class, "spillway.audit.keep-for", "0s"),
        null,
        new SimpleMeterRegistry(),
        new ObjectMapper());
  }
}
