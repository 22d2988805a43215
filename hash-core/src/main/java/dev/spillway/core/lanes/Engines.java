package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import java.util.Optional;
import java.util.function.Consumer;

/** Where engines come from: the fast one if it proves itself on this machine, else spring's. */
public final class Engines {
  private Engines() {}

  /**
   * The engine with {@code lanes} lanes, once it has computed {@link KnownVectors} right; otherwise
   * spring's, and {@code warn} hears why. A wrong digest locks every user out, and the compiler
   * that the lanes lean on so hard is not ours: slow is better than wrong.
   */
  public static DigestEngine proven(int lanes, Consumer<String> warn) {
    return proven(new LaneDigestEngine(lanes), new SpringDigestEngine(), warn);
  }

  static DigestEngine proven(DigestEngine wanted, DigestEngine fallback, Consumer<String> warn) {
    Optional<String> difference = KnownVectors.firstDifference(wanted);
    if (difference.isEmpty()) {
      return wanted;
    }
    warn.accept(
        "bcrypt engine "
            + wanted.name()
            + " does not compute bcrypt here, falling back to the"
            + " slower "
            + fallback.name()
            + ": "
            + difference.get());
    return fallback;
  }
}
