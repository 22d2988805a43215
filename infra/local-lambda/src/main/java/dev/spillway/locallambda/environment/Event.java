package dev.spillway.locallambda.environment;

import java.util.Optional;

/**
 * What a caller wants done: one event for one function.
 *
 * @param functionArn with the qualifier the caller used
 * @param clientContext JSON, already decoded
 */
public record Event(
    String requestId,
    byte[] payload,
    String functionArn,
    String traceId,
    Optional<String> clientContext) {}
