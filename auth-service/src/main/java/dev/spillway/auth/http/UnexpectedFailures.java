package dev.spillway.auth.http;

import jakarta.ws.rs.core.Response;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers for bugs: the client gets an id, the log gets the id and the rest, once. */
class UnexpectedFailures {
  private static final Logger LOG = Logger.getLogger(UnexpectedFailures.class);

  @ServerExceptionMapper
  Response unexpected(Throwable e) {
    if (ClientGone.isCauseOf(e)) {
      return ClientGone.answer();
    }
    String id = "urn:uuid:" + UUID.randomUUID();
    LOG.errorf(e, "Unexpected failure, %s", id);
    return Problem.of(
            Response.Status.INTERNAL_SERVER_ERROR, "Internal error. Quote this id to the operator.")
        .withInstance(id)
        .toResponse();
  }
}
