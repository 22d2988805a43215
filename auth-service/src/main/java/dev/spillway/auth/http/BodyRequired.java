package dev.spillway.auth.http;

import jakarta.ws.rs.core.NoContentException;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.IOException;

/** An endpoint that takes a body gets one: an empty body, or {@code null}, is refused. */
@Provider
class BodyRequired implements ReaderInterceptor {
  @Override
  public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
    Object body;
    try {
      body = context.proceed();
    } catch (NoContentException e) {
      body = null;
    }
    if (body == null) {
      throw Problem.badRequest("The request needs a body.").toException();
    }
    return body;
  }
}
