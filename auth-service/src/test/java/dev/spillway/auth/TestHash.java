package dev.spillway.auth;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Hashes as another system would have stored them. */
public final class TestHash {
  private static final String SALT = "CCCCCCCCCCCCCCCCCCCCC.";

  private TestHash() {}

  /** Of the lowest cost. */
  public static String of(String password) {
    return of("2b", 4, password);
  }

  /** Of the first 72 bytes, as systems do that do not look at the length. */
  public static String of(String version, int cost, String password) {
    BcryptSetting setting = BcryptSetting.parse("$%s$%02d$%s".formatted(version, cost, SALT));
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    byte[] read = Arrays.copyOf(bytes, Math.min(bytes.length, BcryptHash.MAX_PASSWORD_BYTES));
    return new BcryptHash(setting, new SpringDigestEngine().digest(setting, read)).encoded();
  }
}
