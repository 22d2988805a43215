package dev.spillway.locallambda.environment;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a caller wants done: one event for one function.
 *
 * @param functionArn with the qualifier the caller used
 * @param clientContext JSON, already decoded
 * @param logTail told the environment's last 4 KB of output when the event has ended
 */
public record Event(
    String requestId,
    byte[] payload,
    String functionArn,
    String traceId,
    Optional<String> clientContext,
    Consumer<String> logTail) {}
