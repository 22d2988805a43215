package dev.spillway.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import at.favre.lib.crypto.bcrypt.BCrypt.Version;
import dev.spillway.core.bcrypt.BcryptBase64;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.lanes.LaneDigestEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Everyone in the race, at one cost. */
final class Rivals {
  static final String PASSWORD = "correct horse battery staple";

  /** What every other rival is measured against. */
  static final String YARDSTICK = "spring";

  private static final int DIGEST_BYTES = 23;

  private Rivals() {}

  /**
   * The yardstick first; libxcrypt only where the system has it.
   *
   * @throws IllegalStateException if one of them does not compute what spring computes
   */
  static List<Rival> all(int cost) {
    BcryptSetting setting = new BcryptSetting(BcryptVersion.V2A, cost, "nUcjAHFymKO9aZ1x5S2kxe");
    byte[] password = PASSWORD.getBytes(US_ASCII);
    byte[] salt = setting.saltBytes();
    String written = setting.toString();

    List<Rival> rivals = new ArrayList<>();
    SpringDigestEngine spring = new SpringDigestEngine();
    rivals.add(new Rival(YARDSTICK, () -> List.of(spring.digest(setting, password))));
    var favre = at.favre.lib.crypto.bcrypt.BCrypt.with(Version.VERSION_2A);
    rivals.add(new Rival("favre", () -> encoded(favre.hash(cost, salt, password))));
    rivals.add(
        new Rival("jbcrypt", () -> encoded(org.mindrot.jbcrypt.BCrypt.hashpw(PASSWORD, written))));
    byte[] terminated = Arrays.copyOf(password, password.length + 1);
    rivals.add(
        new Rival(
            "bouncycastle",
            () ->
                raw(
                    org.bouncycastle.crypto.generators.BCrypt.generate(
                        terminated.clone(), salt, cost))));
    Libxcrypt.find()
        .ifPresent(
            libxcrypt ->
                rivals.add(
                    new Rival("libxcrypt", () -> encoded(libxcrypt.crypt(password, written)))));
    for (int lanes = 1; lanes <= LaneDigestEngine.MAX_LANES; lanes++) {
      rivals.add(lanes(lanes, setting, password));
    }

    BcryptDigest right = spring.digest(setting, password);
    for (Rival rival : rivals) {
      if (!rival.call().compute().stream().allMatch(right::matches)) {
        throw new IllegalStateException(rival.name() + " computes something else than bcrypt");
      }
    }
    return rivals;
  }

  private static Rival lanes(int lanes, BcryptSetting setting, byte[] password) {
    LaneDigestEngine engine = new LaneDigestEngine(lanes);
    return new Rival(engine.name(), () -> FullLanes.compute(engine, setting, password));
  }

  private static List<BcryptDigest> encoded(byte[] hash) {
    return encoded(new String(hash, US_ASCII));
  }

  private static List<BcryptDigest> encoded(String hash) {
    return List.of(BcryptDigest.of(hash.substring(BcryptSetting.LENGTH)));
  }

  private static List<BcryptDigest> raw(byte[] digest) {
    return List.of(BcryptDigest.of(BcryptBase64.encode(Arrays.copyOf(digest, DIGEST_BYTES))));
  }
}
