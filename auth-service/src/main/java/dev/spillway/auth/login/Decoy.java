package dev.spillway.auth.login;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import java.security.SecureRandom;

/**
 * A hash to compare with when a login has no usable one, so that it costs the same and its answer
 * takes as long. Salt and digest are random: no password is known to match, and a match is ignored.
 */
final class Decoy {
  private static final String ALPHABET =
      "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private Decoy() {}

  static BcryptHash ofCost(int cost) {
    SecureRandom random = new SecureRandom();
    StringBuilder digest = new StringBuilder(BcryptDigest.LENGTH);
    for (int i = 0; i < BcryptDigest.LENGTH - 1; i++) {
      digest.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    digest.append('.'); // its last character carries four bits only
    return new BcryptHash(
        BcryptSetting.random(BcryptVersion.V2B, cost, random), BcryptDigest.of(digest.toString()));
  }
}
