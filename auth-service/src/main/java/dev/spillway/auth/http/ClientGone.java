package dev.spillway.auth.http;

import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.StreamResetException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.nio.channels.ClosedChannelException;

/**
 * The answer to a client that left: status 499, as nginx uses it. No client reads it; metrics count
 * it as neither success nor failure.
 */
public final class ClientGone {
  static final int STATUS = 499;

  private ClientGone() {}

  static Response answer() {
    return Response.status(STATUS, "Client Closed Request").build();
  }

  /** To end a request with. */
  public static WebApplicationException toException() {
    return Problem.toException(answer());
  }

  /** A connection or stream that broke off reaches us wrapped, by however many layers read it. */
  static boolean isCauseOf(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpClosedException
          || cause instanceof StreamResetException
          || cause instanceof ClosedChannelException) {
        return true;
      }
    }
    return false;
  }
}
