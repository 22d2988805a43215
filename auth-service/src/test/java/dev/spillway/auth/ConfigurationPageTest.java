package dev.spillway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds docs/configuration.md against the mappings. */
class ConfigurationPageTest {
  /** A setting is a choice that an operator has a reason for; the others are constants. */
  private static final int MOST = 56;

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** A default that is not the mapping's: <code>${spillway.key:value}</code>. */
  private static final Pattern ELSEWHERE =
      Pattern.compile("\\$\\{(spillway\\.[a-z.-]+):([^:/}]+)}");

  @Test
  void everySetting_isDocumented_andNoOther() throws Exception {
    assertThat(documented().keySet()).isEqualTo(mapped().keySet()).hasSizeLessThanOrEqualTo(MOST);
  }

  @Test
  void documentedDefault_isTheDefault() throws Exception {
    Map<String, String> documented = documented();
    mapped()
        .forEach(
            (key, value) -> {
              if (value.isEmpty()) {
                assertThat(documented.get(key)).as(key).doesNotStartWith("`");
              } else {
                assertThat(documented.get(key)).as(key).startsWith("`" + value + "`");
              }
            });
  }

  /** What stands in the second column, by key. */
  private static Map<String, String> documented() throws Exception {
    Map<String, String> defaults = new TreeMap<>();
    String page = Files.readString(Path.of("..", "docs", "configuration.md"));
    for (String line : page.lines().filter(row -> row.startsWith("| `spillway.")).toList()) {
      String[] cells = line.split(" *\\| *", -1);
      String[] keys =
          CODE.matcher(cells[1]).results().map(code -> code.group(1)).toArray(String[]::new);
      String[] values = keys.length == 1 ? new String[] {cells[2]} : cells[2].split(", ");
      assertThat(values).as(line).hasSameSizeAs(keys);
      String prefix = keys[0].substring(0, keys[0].lastIndexOf('.'));
      for (int i = 0; i < keys.length; i++) {
        String key = keys[i].startsWith(".") ? prefix + keys[i] : keys[i];
        defaults.put(key.replace("NAME", "*"), values[i]);
      }
    }
    return defaults;
  }

  /** Defaults by key; empty where there is none. */
  private static Map<String, String> mapped() throws Exception {
    Map<String, String> defaults = new TreeMap<>();
    for (Class<?> mapping : mappings()) {
      var at = new ConfigClass(mapping, mapping.getAnnotation(ConfigMapping.class).prefix());
      at.getProperties()
          .forEach(
              (key, value) ->
                  defaults.put(key.replace("[*]", ""), Optional.ofNullable(value).orElse("")));
    }
    ELSEWHERE
        .matcher(Files.readString(Path.of("src", "main", "resources", "application.properties")))
        .results()
        .forEach(found -> defaults.replace(found.group(1), "", found.group(2)));
    return defaults;
  }

  private static Set<Class<?>> mappings() {
    return new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.spillway.auth")
            .stream()
            .filter(type -> type.isAnnotatedWith(ConfigMapping.class))
            .map(type -> type.reflect())
            .collect(Collectors.toSet());
  }
}
