package dev.spillway.auth.changes;

import io.smallrye.config.common.MapBackedConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The file of changes as a source of configuration, before all others. */
final class ChangesSource extends MapBackedConfigSource {
  private static final long serialVersionUID = 1L;

  /** System properties have 400. */
  private static final int ORDINAL = 500;

  private final transient byte[] content;

  /**
   * @throws IllegalArgumentException if the content cannot be in force, whatever its values
   */
  ChangesSource(Path file, byte[] content) {
    super("changes[" + file + "]", ChangesText.parse(content), ORDINAL);
    this.content = content;
  }

  /** What the file says; empty if there is none. */
  static Optional<byte[]> read(Path file) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Not a copy. */
  byte[] content() {
    return content;
  }
}
