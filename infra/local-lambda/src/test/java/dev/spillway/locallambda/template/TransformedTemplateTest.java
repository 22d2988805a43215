package dev.spillway.locallambda.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/**
 * The file that is deployed is the file that is tested: template.yaml, and what SAM's transform
 * makes of it, say the same to us, and what SAM CLI says they say. infra/template-checks keeps both
 * files up to date.
 */
class TransformedTemplateTest {
  private static final Path SOURCE = Path.of("../../template.yaml");
  private static final Path CHECKS = Path.of("../template-checks/transformed");
  private static final Path TRANSFORMED = CHECKS.resolve("template.json");
  private static final Account ACCOUNT = Account.in("eu-central-1");

  static Stream<Map<String, Object>> settings() throws IOException {
    List<Map<String, Object>> all =
        new Yaml().load(Files.readString(CHECKS.resolve("settings.json")));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("settings")
  void bothForms_sayWhatSamSays(Map<String, Object> expected) {
    var parameters = texts(expected.get("parameters"));

    for (Path form : List.of(SOURCE, TRANSFORMED)) {
      var function = Template.read(form, parameters, ACCOUNT).getFirst();

      assertThat(function.name()).isEqualTo("HashFunction");
      assertThat(function.handler()).isEqualTo(expected.get("handler"));
      assertThat(function.memoryMegabytes()).isEqualTo(expected.get("memory"));
      assertThat(function.timeout())
          .isEqualTo(Duration.ofSeconds((Integer) expected.get("timeout")));
      assertThat(function.reservedConcurrency())
          .isEqualTo(
              expected.get("reserved") instanceof Integer reserved
                  ? OptionalInt.of(reserved)
                  : OptionalInt.empty());
      assertThat(function.environment()).isEqualTo(texts(expected.get("environment")));
      assertThat(function.alias()).contains((String) expected.get("alias"));
    }
  }

  @Test
  void onlyTheSourceKnowsWhereTheCodeIs() {
    Path here = Path.of("../../hash-lambda/target/function.zip").toAbsolutePath().normalize();

    assertThat(Template.read(SOURCE, Map.of(), ACCOUNT).getFirst().codeUri()).contains(here);
    assertThat(Template.read(TRANSFORMED, Map.of(), ACCOUNT).getFirst().codeUri())
        .isEqualTo(Optional.empty());
  }

  private static Map<String, String> texts(Object map) {
    Map<String, String> texts = new HashMap<>();
    ((Map<?, ?>) map).forEach((name, value) -> texts.put(name.toString(), value.toString()));
    return texts;
  }
}
