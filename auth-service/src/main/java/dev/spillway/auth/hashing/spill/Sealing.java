package dev.spillway.auth.hashing.spill;

import dev.spillway.core.seal.SealKeys;
import dev.spillway.core.seal.Sealer;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import java.time.InstantSource;
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
    if (config.keys().isEmpty() && config.use().isEmpty()) {
      return WireFormat::write;
    }
    String keys =
        config
            .keys()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        PREFIX + "use names a key, and there is no " + PREFIX + "keys"));
    String use =
        config
            .use()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        PREFIX + "keys is set: " + PREFIX + "use must name one of them"));
    Sealer sealer = sealer(keys, use);
    return request -> WireFormat.write(request, sealer);
  }

  private static Sealer sealer(String keys, String use) {
    try {
      return new Sealer(SealKeys.parse(keys), use, InstantSource.system());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(PREFIX + "keys: " + e.getMessage());
    }
  }
}
