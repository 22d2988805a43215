package dev.spillway.locallambda.environment;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a caller wants done: one event for one function.
 *
 * @param functionArn with the qualifier the caller used
 * @param clientContext JSON, already decoded
 * @param logTail told the environment's last 4 KB of output when the event has ended
 * @param mishap what is to befall its process
 */
public record Event(
    String requestId,
    byte[] payload,
    String functionArn,
    String traceId,
    Optional<String> clientContext,
    Consumer<String> logTail,
    Mishap mishap) {
  public Event(
      String requestId,
      byte[] payload,
      String functionArn,
      String traceId,
      Optional<String> clientContext,
      Consumer<String> logTail) {
    this(requestId, payload, functionArn, traceId, clientContext, logTail, Mishap.NONE);
  }

  public Event with(Mishap other) {
    return new Event(requestId, payload, functionArn, traceId, clientContext, logTail, other);
  }

  public Event with(byte[] otherPayload) {
    return new Event(requestId, otherPayload, functionArn, traceId, clientContext, logTail, mishap);
  }
}
