package dev.spillway.auth.hashing.spill;

import dev.spillway.core.seal.SealKeys;
import dev.spillway.core.seal.Sealer;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** Whether spilled passwords are sealed, and with what. */
final class Sealing {
  private static final String PREFIX = "spillway.spill.sealing.";

  private Sealing() {}

  /**
   * What makes a request's event.
   *
   * @throws IllegalArgumentException if the configuration cannot work, saying which key and why,
   *     and nothing of what it holds
   */
  static Function<DigestRequest, byte[]> of(SpillConfig.Sealing config) {
    Optional<Keys> keys = keys(config);
    if (keys.isEmpty() && config.use().isEmpty()) {
      return WireFormat::write;
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(
          PREFIX + "use names a key, and there is neither " + PREFIX + "keys nor .keys-file");
    }
    String use =
        config
            .use()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        keys.get().source() + " is set: " + PREFIX + "use must name one of them"));
    Sealer sealer = sealer(keys.get(), use);
    return request -> WireFormat.write(request, sealer);
  }

  private static Sealer sealer(Keys keys, String use) {
    try {
      return new Sealer(SealKeys.parse(keys.text()), use, InstantSource.system());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(keys.source() + ": " + e.getMessage());
    }
  }

  private static Optional<Keys> keys(SpillConfig.Sealing config) {
    if (config.keys().isPresent() && config.keysFile().isPresent()) {
      throw new IllegalArgumentException(
          "there must be either " + PREFIX + "keys or " + PREFIX + "keys-file");
    }
    return config
        .keysFile()
        .map(Sealing::read)
        .or(() -> config.keys().map(text -> new Keys(PREFIX + "keys", text)));
  }

  private static Keys read(Path file) {
    try {
      return new Keys(PREFIX + "keys-file", Files.readString(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(PREFIX + "keys-file cannot be read: " + file);
    }
  }

  /**
   * @param source the configuration key they come from
   */
  private record Keys(String source, String text) {
    @Override
    public String toString() {
      return "Keys[hidden]";
    }
  }
}
