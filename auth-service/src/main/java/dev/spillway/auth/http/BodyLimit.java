package dev.spillway.auth.http;

import io.quarkus.runtime.BlockingOperationControl;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a request's body before anything parses it: at most {@value #MAX_BYTES} bytes, announced or
 * not, in UTF-8, within {@link #MAX_TIME}. The longest login and password take a fraction of that.
 * An endpoint that consumes a body never gets an empty one or {@code null}.
 *
 * <p>The bytes are kept where {@link AnswerFilter} finds them to wipe.
 */
@Provider
class BodyLimit implements ContainerRequestFilter {
  static final int MAX_BYTES = 4096;

  /** A whole body arrives in one packet or two; the slowest of lines needs no second for that. */
  static final Duration MAX_TIME = Duration.ofSeconds(5);

  /** Name of the request's property with the body that was read. */
  static final String BODY = BodyLimit.class.getName();

  /** What Quarkus says of a body that does not come, {@code quarkus.http.read-timeout}. */
  private static final String TIMED_OUT = "Read timed out";

  private static final byte[] NULL = "null".getBytes(StandardCharsets.UTF_8);

  private static final Set<String> WITHOUT_BODY = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  @Context ResourceInfo resource;

  @Override
  public void filter(ContainerRequestContext request) {
    if (mayHaveBody(request)
        && request.getMediaType() == null
        && announcesBody(request)
        && has(Consumes.class)) {
      request.abortWith(
          Problem.of(Response.Status.UNSUPPORTED_MEDIA_TYPE, "The request needs a Content-Type.")
              .toResponse());
      return;
    }
    if (has(LargeBody.class)) {
      charset(request).ifPresent(problem -> request.abortWith(problem.toResponse()));
      return;
    }
    Optional<Problem> refusal = announced(request).or(() -> charset(request));
    if (refusal.isEmpty() && mayHaveBody(request)) {
      refusal = request.hasEntity() ? read(request) : empty(request);
    }
    refusal.ifPresent(problem -> request.abortWith(problem.toResponse()));
  }

  private static Optional<Problem> announced(ContainerRequestContext request) {
    String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    return length != null && !isWithinLimit(length) ? tooLarge() : Optional.empty();
  }

  private static boolean isWithinLimit(String length) {
    try {
      return Long.parseLong(length) <= MAX_BYTES;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static Optional<Problem> charset(ContainerRequestContext request) {
    MediaType type = request.getMediaType();
    String charset = type == null ? null : type.getParameters().get(MediaType.CHARSET_PARAMETER);
    return charset == null || charset.equalsIgnoreCase(StandardCharsets.UTF_8.name())
        ? Optional.empty()
        : Optional.of(
            Problem.of(Response.Status.UNSUPPORTED_MEDIA_TYPE, "The body must be in UTF-8."));
  }

  /** JAX-RS sees no entity where there is no type. */
  private static boolean announcesBody(ContainerRequestContext request) {
    String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    return length == null
        ? request.getHeaderString("Transfer-Encoding") != null
        : !length.equals("0");
  }

  /** What runs on the event loop, without blocking, reads no body. */
  private static boolean mayHaveBody(ContainerRequestContext request) {
    return !WITHOUT_BODY.contains(request.getMethod())
        && BlockingOperationControl.isBlockingAllowed();
  }

  /** What a DELETE is about stands in its path (RFC 9110, section 9.3.5). */
  private Optional<Problem> empty(ContainerRequestContext request) {
    return has(Consumes.class) && !request.getMethod().equals(HttpMethod.DELETE)
        ? Optional.of(Problem.badRequest("The request needs a body."))
        : Optional.empty();
  }

  private Optional<Problem> read(ContainerRequestContext request) {
    byte[] body;
    try {
      Optional<byte[]> read = inTime(request.getEntityStream());
      if (read.isEmpty()) {
        return tooSlow();
      }
      body = read.get();
    } catch (IOException e) {
      if (TIMED_OUT.equals(e.getMessage())) {
        return tooSlow();
      }
      throw ClientGone.toException();
    }
    if (brokeOff(request, body)) {
      throw ClientGone.toException();
    }
    request.setProperty(BODY, body);
    if (body.length > MAX_BYTES) {
      return tooLarge();
    }
    if (saysNothing(body)) {
      return empty(request);
    }
    if (!Utf8.isValid(body)) {
      return Optional.of(Problem.badRequest("The body is not UTF-8."));
    }
    request.setEntityStream(new ByteArrayInputStream(body));
    return Optional.empty();
  }

  /** A stream of HTTP/2 that was reset may look as if its body had ended. */
  private static boolean brokeOff(ContainerRequestContext request, byte[] body) {
    String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    return length != null && isWithinLimit(length) && Long.parseLong(length) > body.length;
  }

  /**
   * At most one byte more than is allowed; empty if the body is sent too slowly, a byte now and
   * then. {@code quarkus.http.read-timeout} ends the connection of a client that sends nothing.
   */
  private static Optional<byte[]> inTime(InputStream stream) throws IOException {
    long start = System.nanoTime();
    byte[] body = new byte[MAX_BYTES + 1];
    int length = 0;
    while (length < body.length) {
      int read = stream.read(body, length, body.length - length);
      if (read < 0) {
        break;
      }
      length += read;
      if (System.nanoTime() - start > MAX_TIME.toNanos()) {
        Arrays.fill(body, (byte) 0);
        return Optional.empty();
      }
    }
    byte[] read = Arrays.copyOf(body, length);
    Arrays.fill(body, (byte) 0);
    return Optional.of(read);
  }

  /** White space as JSON has it, and perhaps a {@code null} in it. */
  private static boolean saysNothing(byte[] body) {
    int start = 0;
    int end = body.length;
    while (start < end && isSpace(body[start])) {
      start++;
    }
    while (start < end && isSpace(body[end - 1])) {
      end--;
    }
    return start == end || Arrays.equals(body, start, end, NULL, 0, NULL.length);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }

  private static Optional<Problem> tooSlow() {
    return Optional.of(
        Problem.of(
            Response.Status.REQUEST_TIMEOUT,
            "The body may take at most " + MAX_TIME.toSeconds() + " seconds."));
  }

  private static Optional<Problem> tooLarge() {
    return Optional.of(
        Problem.of(
            Response.Status.REQUEST_ENTITY_TOO_LARGE,
            "The body may have at most " + MAX_BYTES + " bytes."));
  }

  /** Whether the resource's method, or its class, bears the annotation. */
  private boolean has(Class<? extends Annotation> annotation) {
    Method method = resource.getResourceMethod();
    return method != null
        && (method.isAnnotationPresent(annotation)
            || resource.getResourceClass().isAnnotationPresent(annotation));
  }
}
