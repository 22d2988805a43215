package dev.spillway.auth.changes;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Has the start read the file of changes too: a restart changes nothing of what is in force. */
public final class ChangesSourceFactory implements ConfigSourceFactory {
  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    ConfigValue set = context.getValue("spillway.changes.file");
    Path file =
        Path.of(
            set == null || set.getValue() == null ? ChangesConfig.DEFAULT_FILE : set.getValue());
    try {
      return ChangesSource.read(file)
          .<List<ConfigSource>>map(content -> List.of(new ChangesSource(file, content)))
          .orElse(List.of());
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + " cannot be used: " + e.getMessage(), e);
    }
  }
}
