package dev.spillway.auth.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Objects;

/**
 * A problem document of RFC 9457: the answer to a request that was refused or failed.
 *
 * <p>No member ever repeats what the client sent; names of fields are taken from our own types.
 *
 * @param type a URN the client can switch on, or {@code about:blank} when the status says it all
 * @param instance set on unexpected failures only; the log carries the same id
 * @param errors one entry for each field that was refused; often empty
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
    String type, String title, int status, String detail, String instance, List<Refused> errors) {

  /** Media type of a problem. */
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String BLANK = "about:blank";
  private static final String URN = "urn:spillway:";

  /**
   * One refused field.
   *
   * @param field path of the field within the body, for example {@code login}
   * @param message why, without the value
   */
  public record Refused(String field, String message) {}

  public Problem {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(title, "title");
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("not the status of an error: " + status);
    }
    errors = errors == null ? List.of() : List.copyOf(errors);
  }

  /** A problem of our own kind: {@code urn:spillway:} followed by {@code name}. */
  public static Problem of(Response.Status status, String name, String detail) {
    return new Problem(
        URN + name, status.getReasonPhrase(), status.getStatusCode(), detail, null, null);
  }

  /** A problem that the status alone describes. */
  public static Problem of(Response.StatusType status, String detail) {
    return new Problem(BLANK, status.getReasonPhrase(), status.getStatusCode(), detail, null, null);
  }

  /** 400: the request cannot be read. */
  public static Problem badRequest(String detail) {
    return of(Response.Status.BAD_REQUEST, detail);
  }

  /** 400: the request can be read, and these fields of it are refused. */
  public static Problem invalid(List<Refused> errors) {
    return of(Response.Status.BAD_REQUEST, "invalid-request", "Some fields are not acceptable.")
        .with(errors);
  }

  /** 400: this one field is refused. */
  public static Problem invalid(Refused error) {
    return invalid(List.of(error));
  }

  /** 400 of a kind of its own: this field is refused. */
  public static Problem refused(String name, String detail, Refused error) {
    return of(Response.Status.BAD_REQUEST, name, detail).with(List.of(error));
  }

  /** 401; says nothing about which half of the credentials was wrong. */
  public static Problem unauthorized(String detail) {
    return of(Response.Status.UNAUTHORIZED, detail);
  }

  /** 403. */
  public static Problem forbidden(String detail) {
    return of(Response.Status.FORBIDDEN, detail);
  }

  /** 404. */
  public static Problem notFound(String detail) {
    return of(Response.Status.NOT_FOUND, detail);
  }

  /** 409. */
  public static Problem conflict(String detail) {
    return of(Response.Status.CONFLICT, detail);
  }

  Problem with(List<Refused> refused) {
    return new Problem(type, title, status, detail, instance, refused);
  }

  Problem withInstance(String id) {
    return new Problem(type, title, status, detail, id, errors);
  }

  /** The answer that carries this problem. */
  public Response toResponse() {
    return toBuilder().build();
  }

  /** The answer that carries this problem, open for headers. */
  public Response.ResponseBuilder toBuilder() {
    return Response.status(status).type(MEDIA_TYPE).entity(this);
  }

  /** For code deep inside an endpoint that cannot return an answer. */
  public WebApplicationException toException() {
    return toException(toResponse());
  }

  /** Likewise for an answer made with {@link #toBuilder}. */
  public static WebApplicationException toException(Response answer) {
    return new Refusal(answer);
  }

  /** Refusals are no surprise, and under attack there are many: none needs to know its stack. */
  private static final class Refusal extends WebApplicationException {
    private static final long serialVersionUID = 1L;

    Refusal(Response answer) {
      super(answer);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
