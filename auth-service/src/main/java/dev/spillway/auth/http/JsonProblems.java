package dev.spillway.auth.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import java.util.Collection;
import java.util.stream.Collectors;

/** Puts what Jackson found wrong in words of our own: its messages repeat the input. */
final class JsonProblems {
  private JsonProblems() {}

  static Problem of(JsonProcessingException e) {
    return switch (e) {
      case UnrecognizedPropertyException unknown -> unknownField(unknown.getKnownPropertyIds());
      case MismatchedInputException mismatch -> mismatch(path(mismatch));
      case StreamConstraintsException _ ->
          Problem.badRequest("The JSON is nested too deeply, or a part of it is too long.");
      case JsonParseException parse when isDuplicate(parse) ->
          Problem.badRequest("A field appears twice.");
      default -> Problem.badRequest("The body is not well-formed JSON.");
    };
  }

  private static Problem unknownField(Collection<Object> known) {
    String names =
        known == null
            ? ""
            : known.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
    return Problem.badRequest("Unknown field. Known fields: " + names + ".");
  }

  private static Problem mismatch(String path) {
    return path.isEmpty()
        ? Problem.badRequest("The body must be exactly one JSON object.")
        : Problem.invalid(new Problem.Refused(path, "has the wrong type"));
  }

  /**
   * Names of our own types only: an unknown field never gets this far, and none of them is a map.
   */
  private static String path(JsonMappingException e) {
    return e.getPath().stream()
        .map(step -> step.getFieldName() == null ? "[]" : step.getFieldName())
        .collect(Collectors.joining("."));
  }

  private static boolean isDuplicate(JsonParseException e) {
    return e.getOriginalMessage().startsWith("Duplicate");
  }
}
