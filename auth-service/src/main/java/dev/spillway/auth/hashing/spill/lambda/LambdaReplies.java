package dev.spillway.auth.hashing.spill.lambda;

import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import dev.spillway.hashing.spill.wire.TransportFailure;
import io.vertx.core.VertxException;
import io.vertx.core.http.StreamResetException;
import jakarta.ws.rs.ProcessingException;
import java.io.IOException;
import org.jboss.resteasy.reactive.RestResponse;

/** Tells the reply of a function from everything else that the Invoke API or HTTP may say. */
final class LambdaReplies {
  /** Set on a 200 when the function did not answer but failed. */
  private static final String FUNCTION_ERROR = "X-Amz-Function-Error";

  private LambdaReplies() {}

  /**
   * The body of a function's reply.
   *
   * @throws TransportFailure if the response is none
   */
  static byte[] body(RestResponse<byte[]> response) {
    byte[] body = response.getStatus() == 200 ? response.getEntity() : null;
    if (body == null || response.getHeaders().containsKey(FUNCTION_ERROR)) {
      throw new TransportFailure(reason(response));
    }
    return body;
  }

  private static Reason reason(RestResponse<byte[]> response) {
    int status = response.getStatus();
    return switch (status) {
      case 200 ->
          response.getHeaders().containsKey(FUNCTION_ERROR)
              ? Reason.FUNCTION_ERROR
              : Reason.MALFORMED;
      case 429 -> Reason.THROTTLED;
      case 401, 403, 404 -> Reason.MISCONFIGURED;
      default -> status >= 500 ? Reason.UNAVAILABLE : Reason.REJECTED;
    };
  }

  /**
   * The innermost cause that says something decides; how often it is wrapped is the client's
   * affair. A failure that says nothing stays as it is.
   */
  static Throwable failure(Throwable failure) {
    Throwable known = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      known =
          switch (cause) {
            case TransportFailure said -> said;
            // Ours: the reply was too long.
            case StreamResetException reset -> new TransportFailure(Reason.MALFORMED);
            case ProcessingException broken -> new TransportFailure(Reason.UNREACHABLE);
            case IOException broken -> new TransportFailure(Reason.UNREACHABLE);
            // Closed in mid-body.
            case VertxException broken -> new TransportFailure(Reason.UNREACHABLE);
            default -> known;
          };
    }
    return known;
  }
}
