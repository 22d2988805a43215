package dev.spillway.auth.audit;

import java.time.Instant;
import java.util.Optional;

/**
 * Which entries are wanted; empty means all.
 *
 * @param login in its normal form
 * @param since nothing older
 * @param until nothing from then on
 * @param outcome as it is written
 * @param network in CIDR notation, as it is written
 */
public record AuditFilter(
    Optional<String> login,
    Instant since,
    Optional<Instant> until,
    Optional<String> outcome,
    Optional<String> network) {
  static final AuditFilter ALL =
      new AuditFilter(
          Optional.empty(), Instant.EPOCH, Optional.empty(), Optional.empty(), Optional.empty());

  static AuditFilter since(Instant since) {
    return new AuditFilter(
        Optional.empty(), since, Optional.empty(), Optional.empty(), Optional.empty());
  }

  static AuditFilter of(String login) {
    return new AuditFilter(
        Optional.of(login), Instant.EPOCH, Optional.empty(), Optional.empty(), Optional.empty());
  }
}
