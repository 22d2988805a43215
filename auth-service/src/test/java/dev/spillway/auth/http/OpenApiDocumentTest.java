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
}
