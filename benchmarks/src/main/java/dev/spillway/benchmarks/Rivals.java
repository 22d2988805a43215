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
import java.util.function.Supplier;

/** Everyone in the race, at one cost. */
final class Rivals {
  static final String PASSWORD = "correct horse battery staple";

  /** What every other rival is measured against. */
  static final String YARDSTICK = "spring";

  private static final int DIGEST_BYTES = 23;

  private Rivals() {}

  /** The yardstick first; libxcrypt only where the system has it. */
  static List<Rival> all(int cost) {
    BcryptSetting setting = new BcryptSetting(BcryptVersion.V2A, cost, "nUcjAHFymKO9aZ1x5S2kxe");
    byte[] password = PASSWORD.getBytes(US_ASCII);
    byte[] salt = setting.saltBytes();
    String written = setting.toString();

    List<Rival> rivals = new ArrayList<>();
    SpringDigestEngine spring = new SpringDigestEngine();
    BcryptDigest right = spring.digest(setting, password);
    rivals.add(checked(YARDSTICK, right, () -> List.of(spring.digest(setting, password))));
    var favre = at.favre.lib.crypto.bcrypt.BCrypt.with(Version.VERSION_2A);
    rivals.add(checked("favre", right, () -> encoded(favre.hash(cost, salt, password))));
    rivals.add(
        checked(
            "jbcrypt", right, () -> encoded(org.mindrot.jbcrypt.BCrypt.hashpw(PASSWORD, written))));
    byte[] terminated = Arrays.copyOf(password, password.length + 1);
    rivals.add(
        checked(
            "bouncycastle",
            right,
            () ->
                raw(
                    org.bouncycastle.crypto.generators.BCrypt.generate(
                        terminated.clone(), salt, cost))));
    Libxcrypt.find()
        .ifPresent(
            libxcrypt ->
                rivals.add(
                    checked(
                        "libxcrypt", right, () -> encoded(libxcrypt.crypt(password, written)))));
    for (int lanes = 1; lanes <= LaneDigestEngine.MAX_LANES; lanes++) {
      LaneDigestEngine engine = new LaneDigestEngine(lanes);
      rivals.add(checked(engine.name(), right, () -> FullLanes.compute(engine, setting, password)));
    }
    return rivals;
  }

  /** The loops in C, by their lanes; none without a compiler. */
  static List<Rival> inC(int cost) {
    List<Rival> loops = new ArrayList<>();
    CLoop.find()
        .ifPresent(
            loop -> {
              for (int lanes = 1; lanes <= CLoop.MAX_LANES; lanes++) {
                int count = lanes;
                loops.add(new Rival("c-" + lanes, () -> loop.hash(count, cost)));
              }
            });
    return loops;
  }

  private static Rival checked(
      String name, BcryptDigest right, Supplier<List<BcryptDigest>> digests) {
    return new Rival(
        name,
        () -> {
          List<BcryptDigest> computed = digests.get();
          if (!computed.stream().allMatch(right::matches)) {
            throw new IllegalStateException(name + " computes something else than bcrypt");
          }
          return computed.size();
        });
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
