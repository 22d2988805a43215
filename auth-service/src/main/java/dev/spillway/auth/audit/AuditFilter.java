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
    Optional<String> network) {}
