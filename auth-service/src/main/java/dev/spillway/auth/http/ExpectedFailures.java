package dev.spillway.auth.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers for everything that goes wrong as foreseen. None of it is logged. */
class ExpectedFailures {
  private static final String CHALLENGE = "Bearer realm=\"spillway\"";

  @ServerExceptionMapper
  Response unavailable(Unavailable e) {
    return e.problem().toBuilder()
        .header(
            HttpHeaders.RETRY_AFTER, RetryAfter.spread(e.retryAfter(), ThreadLocalRandom.current()))
        .build();
  }

  @ServerExceptionMapper
  Response mismatch(MismatchedInputException e) {
    return JsonProblems.of(e).toResponse();
  }

  @ServerExceptionMapper
  Response violation(ConstraintViolationException e) {
    List<Problem.Refused> refused =
        e.getConstraintViolations().stream()
            .map(violation -> new Problem.Refused(field(violation), violation.getMessage()))
            .sorted(Comparator.comparing(Problem.Refused::field))
            .toList();
    return Problem.invalid(refused).toResponse();
  }

  @ServerExceptionMapper
  Response unauthorized(UnauthorizedException e) {
    return challenge("A token is needed.", CHALLENGE);
  }

  @ServerExceptionMapper
  Response badToken(AuthenticationFailedException e) {
    return challenge("The token is not acceptable.", CHALLENGE + ", error=\"invalid_token\"");
  }

  @ServerExceptionMapper
  Response forbidden(ForbiddenException e) {
    return Problem.forbidden("The token does not allow this.").toResponse();
  }

  /** What JAX-RS itself refuses: 404, 405, 406, 415, and JSON that cannot be parsed. */
  @ServerExceptionMapper
  Response web(WebApplicationException e) {
    Response answer = e.getResponse();
    if (answer.getStatus() < 400
        || answer.getStatus() == ClientGone.STATUS
        || answer.getEntity() instanceof Problem) {
      return answer;
    }
    if (e.getCause() instanceof JsonProcessingException json
        && !(json instanceof InvalidDefinitionException)) {
      return JsonProblems.of(json).toResponse();
    }
    if (answer.getStatus() == Response.Status.NOT_FOUND.getStatusCode() && e.getCause() != null) {
      // What JAX-RS calls not found: a number in the query that is none.
      return Problem.badRequest("A parameter is not of its type.").toResponse();
    }
    return Problem.of(answer.getStatusInfo(), detail(answer.getStatus())).toResponse();
  }

  private static String detail(int status) {
    return switch (status) {
      case 404 -> "There is nothing at this path.";
      case 405 -> "This path does not know that method.";
      case 406 -> "The answer cannot be given in any of the accepted types.";
      case 415 -> "The body is not of a type that is read here.";
      default -> null;
    };
  }

  private static Response challenge(String detail, String challenge) {
    return Problem.unauthorized(detail).toBuilder()
        .header(HttpHeaders.WWW_AUTHENTICATE, challenge)
        .build();
  }

  /** The path within the body, whose own name is ours to know; or the name of a parameter. */
  private static String field(ConstraintViolation<?> violation) {
    List<String> names = new ArrayList<>();
    String parameter = "";
    for (Path.Node node : violation.getPropertyPath()) {
      switch (node.getKind()) {
        case PROPERTY, CONTAINER_ELEMENT -> names.add(node.getName());
        case PARAMETER -> parameter = node.getName();
        case METHOD, BEAN, CONSTRUCTOR, CROSS_PARAMETER, RETURN_VALUE -> {}
      }
    }
    return names.isEmpty() ? parameter : String.join(".", names);
  }
}
