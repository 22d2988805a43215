package dev.spillway.auth.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** M5: what Swagger UI and generators of clients need. */
@QuarkusTest
class OpenApiDocumentTest {
  @Test
  void m5_document_definesWhatItRefersTo() {
    JsonPath document = given().accept("application/json").get("/q/openapi").jsonPath();
    Map<String, Object> schemes = document.getMap("components.securitySchemes");
    List<String> wanted = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    Map<String, Map<String, Map<String, Object>>> paths = document.getMap("paths");
    paths.values().stream()
        .flatMap(path -> path.values().stream())
        .filter(operation -> operation.containsKey("responses"))
        .forEach(
            operation -> {
              ids.add((String) operation.get("operationId"));
              if (operation.get("security") instanceof List<?> alternatives) {
                alternatives.forEach(
                    one -> ((Map<?, ?>) one).keySet().forEach(name -> wanted.add((String) name)));
              }
            });
    assertThat(wanted).isNotEmpty();
    assertThat(schemes.keySet()).containsAll(wanted);
    assertThat(ids).doesNotContainNull().doesNotHaveDuplicates();
    Map<String, Object> schemas = document.getMap("components.schemas");
    assertThat(schemas.keySet()).noneMatch(name -> name.matches(".*\\d"));
  }

  /** M5: what redocly and spectral find fault with. */
  @Test
  void m5_document_leavesNothingToGuess() {
    JsonPath document = given().accept("application/json").get("/q/openapi").jsonPath();
    assertThat(document.getList("servers.url")).containsExactly("/");
    assertThat(document.getList("tags.description")).isNotEmpty().doesNotContainNull();
    List<Object> tags = document.getList("tags.name");
    Map<String, Map<String, Map<String, Object>>> paths = document.getMap("paths");
    paths.forEach(
        (path, operations) ->
            operations.forEach(
                (method, operation) -> {
                  if (!path.startsWith("/probe") && operation.containsKey("responses")) {
                    String at = method + " " + path;
                    assertThat(operation).as(at).containsKeys("summary", "security");
                    assertThat(tags).as(at).containsAll((List<?>) operation.get("tags"));
                    assertThat(((Map<?, ?>) operation.get("responses")).keySet())
                        .as(at)
                        .anyMatch(status -> status.toString().startsWith("4"));
                  }
                }));
  }

  @Test
  void document_namesOperationsAndHeadersForClients() {
    JsonPath document = given().accept("application/json").get("/q/openapi").jsonPath();
    Map<String, Map<String, Map<String, Object>>> paths = document.getMap("paths");
    List<String> ids =
        paths.entrySet().stream()
            .filter(path -> !path.getKey().startsWith("/probe"))
            .flatMap(path -> path.getValue().values().stream())
            .map(operation -> (String) operation.get("operationId"))
            .toList();
    assertThat(ids)
        .contains("login", "me", "usersCreate")
        .allSatisfy(id -> assertThat(id).matches("[a-z][A-Za-z]+"));
    for (String status : List.of("429", "503")) {
      assertThat(document.getMap("paths.'/login'.post.responses.'" + status + "'.headers"))
          .containsKey("Retry-After");
    }
    assertThat(document.getMap("paths.'/users'.post.responses.'201'.headers"))
        .containsKey("Location");
    assertThat(document.getMap("components.schemas.Credentials.properties.login"))
        .containsKey("examples");
    assertThat(document.getMap("components.schemas.Secret")).containsKey("examples");
    assertThat(document.getMap("components.schemas.Problem.properties.errors.items"))
        .containsOnlyKeys("$ref");
  }
}
