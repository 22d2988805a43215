package dev.spillway.auth.http;

import io.vertx.core.http.HttpClosedException;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers for bugs: the client gets an id, the log gets the id and the rest, once. */
class UnexpectedFailures {
  private static final Logger LOG = Logger.getLogger(UnexpectedFailures.class);

  @ServerExceptionMapper
  Response unexpected(Throwable e) {
    String id = "urn:uuid:" + UUID.randomUUID();
    if (clientGone(e)) {
      LOG.debugf("The client went away, %s", id);
    } else {
      LOG.errorf(e, "Unexpected failure, %s", id);
    }
    return Problem.of(
            Response.Status.INTERNAL_SERVER_ERROR, "Something went wrong; the log knows the id.")
        .withInstance(id)
        .toResponse();
  }

  /** A body that broke off reaches us wrapped, by however many layers read it. */
  private static boolean clientGone(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpClosedException) {
        return true;
      }
    }
    return false;
  }
}
