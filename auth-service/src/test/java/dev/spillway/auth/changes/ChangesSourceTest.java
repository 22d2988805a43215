package dev.spillway.auth.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of changes at a start. */
class ChangesSourceTest {
  private static final String KEY = "spillway.spill.max-group";

  @TempDir Path folder;

  @Test
  void itsValues_comeBeforeSystemProperties() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), KEY + " = 2\n# text\n");
    assertThat(start(file).getRawValue(KEY)).isEqualTo("2");
  }

  @Test
  void withoutFile_theOthersHold() {
    assertThat(start(folder.resolve("none")).getRawValue(KEY)).isEqualTo("7");
  }

  @Test
  void whatNeedsARestart_stopsTheStart_namingFileAndKey() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "spillway.tokens.issuer=x");
    assertThatThrownBy(() -> start(file))
        .hasMessageContaining(file.toString())
        .hasMessageContaining("spillway.tokens.issuer");
  }

  @Test
  void aFolder_isNoFile() {
    assertThatThrownBy(() -> start(folder)).hasMessageContaining(folder.toString());
  }

  @Test
  void properties_areReadAsJavaReadsThem() {
    assertThat(ChangesText.parse((KEY + ":\\\n 2").getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(Map.of(KEY, "2"));
    assertThatThrownBy(() -> ChangesText.parse("a=\\u12".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static SmallRyeConfig start(Path file) {
    return new SmallRyeConfigBuilder()
        .withSources(
            new PropertiesConfigSource(
                Map.of("spillway.changes.file", file.toString(), KEY, "7"), "system", 400))
        .withSources(new ChangesSourceFactory())
        .build();
  }
}
