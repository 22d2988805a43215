package dev.spillway.auth.http;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Filter of the OpenAPI document: adds the refusals that an operation can answer with, each as a
 * problem. {@code ./spillway check-api} compares the service with the document.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class DocumentedProblems implements OASFilter {
  private static final String SCHEMA = "Problem";
  private static final String REFUSED = "RefusedField";

  @Override
  public void filterOpenAPI(OpenAPI api) {
    if (api.getPaths() == null) {
      return;
    }
    if (api.getComponents() == null) {
      api.setComponents(OASFactory.createComponents());
    }
    api.getComponents().addSchema(SCHEMA, problem());
    api.getComponents().addSchema(REFUSED, refusedField());
    api.getPaths()
        .getPathItems()
        .values()
        .forEach(path -> path.getOperations().values().forEach(DocumentedProblems::complete));
  }

  private static void complete(Operation operation) {
    if (operation.getOperationId() != null) {
      operation.setOperationId(name(operation.getOperationId()));
    }
    if (operation.getSecurity() == null) {
      operation.setSecurity(List.of()); // nothing is forgotten: it wants no token
    }
    APIResponses answers = operation.getResponses();
    if (answers == null) {
      answers = OASFactory.createAPIResponses();
      operation.setResponses(answers);
    }
    for (Map.Entry<String, String> refusal : refusals(operation).entrySet()) {
      if (!answers.hasAPIResponse(refusal.getKey())) {
        answers.addAPIResponse(
            refusal.getKey(), OASFactory.createAPIResponse().description(refusal.getValue()));
      }
    }
    answers.getAPIResponses().forEach(DocumentedProblems::describe);
  }

  /** By status. */
  private static Map<String, String> refusals(Operation operation) {
    Map<String, String> refusals = new TreeMap<>();
    refusals.put("503", "Not available now. Try again after Retry-After seconds.");
    refusals.put("406", "The answer cannot be given in any of the accepted types.");
    if (!operation.getSecurity().isEmpty()) {
      refusals.put("400", "Unknown parameter.");
      refusals.put("401", "The token is missing or not valid.");
      refusals.put("403", "The token does not allow this.");
    }
    if (operation.getRequestBody() != null) {
      refusals.put("400", "Malformed, or a field is missing or not valid.");
      refusals.put("408", "The body was sent too slowly.");
      refusals.put("413", "The body is too long.");
      refusals.put("415", "The body is of another type.");
    }
    for (Parameter parameter :
        operation.getParameters() == null ? List.<Parameter>of() : operation.getParameters()) {
      refusals.put("400", "Malformed, or a parameter is not valid.");
      if (parameter.getIn() == Parameter.In.PATH) {
        refusals.put("404", "Not found.");
      }
    }
    return refusals;
  }

  /** {@code UsersResource_create} becomes {@code usersCreate}, which generated clients call it. */
  private static String name(String id) {
    int cut = id.indexOf("Resource_");
    if (cut < 1) {
      return id;
    }
    String resource = id.substring(0, 1).toLowerCase(Locale.ROOT) + id.substring(1, cut);
    String method = id.substring(cut + "Resource_".length());
    return method.equals(resource)
        ? method
        : resource + method.substring(0, 1).toUpperCase(Locale.ROOT) + method.substring(1);
  }

  private static void describe(String status, APIResponse answer) {
    if (status.equals("429") || status.equals("503")) {
      answer.addHeader(
          "Retry-After",
          OASFactory.createHeader()
              .description("Seconds to wait before the next try.")
              .schema(OASFactory.createSchema().addType(SchemaType.INTEGER)));
    }
    if (status.compareTo("400") >= 0 && answer.getContent() == null) {
      answer.setContent(
          OASFactory.createContent()
              .addMediaType(
                  Problem.MEDIA_TYPE,
                  OASFactory.createMediaType()
                      .schema(OASFactory.createSchema().ref("#/components/schemas/" + SCHEMA))));
    }
  }

  private static Schema problem() {
    return OASFactory.createSchema()
        .addType(SchemaType.OBJECT)
        .description("RFC 9457")
        .addProperty("type", text().description("A URN to switch on, or about:blank."))
        .addProperty("title", text())
        .addProperty("status", OASFactory.createSchema().addType(SchemaType.INTEGER))
        .addProperty("detail", text())
        .addProperty("instance", text())
        .addProperty(
            "errors",
            OASFactory.createSchema()
                .addType(SchemaType.ARRAY)
                .items(OASFactory.createSchema().ref("#/components/schemas/" + REFUSED)))
        .required(List.of("type", "title", "status"));
  }

  private static Schema refusedField() {
    return OASFactory.createSchema()
        .addType(SchemaType.OBJECT)
        .addProperty("field", text())
        .addProperty("message", text());
  }

  private static Schema text() {
    return OASFactory.createSchema().addType(SchemaType.STRING);
  }
}
