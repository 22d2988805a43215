package dev.spillway.locallambda;

import com.sun.net.httpserver.HttpExchange;
import java.util.Optional;

/**
 * Whether a caller may invoke. The seam for SigV4 (service name {@code lambda}): a check sees the
 * request line and headers as sent, and the body's bytes before anything else has looked at them.
 */
@FunctionalInterface
interface CallerCheck {
  /** Signed or not, every caller may. */
  CallerCheck NONE = (exchange, body) -> Optional.empty();

  /** Why not, or empty. */
  Optional<ServiceError> refusal(HttpExchange exchange, byte[] body);
}
