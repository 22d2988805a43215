package dev.spillway.core.bcrypt;

import java.util.Objects;

/** A stored bcrypt hash, parsed once: the setting, and the digest that a password must yield. */
public record BcryptHash(BcryptSetting setting, BcryptDigest digest) {
  /** Length of the written form, in characters. */
  public static final int LENGTH = BcryptSetting.LENGTH + BcryptDigest.LENGTH;

  /** bcrypt reads no further than this many bytes of a password. */
  public static final int MAX_PASSWORD_BYTES = 72;

  public BcryptHash {
    Objects.requireNonNull(setting, "setting");
    Objects.requireNonNull(digest, "digest");
  }

  /** The 60 characters as they stand in a database. */
  public String encoded() {
    return setting + digest.text();
  }

  @Override
  public String toString() {
    return "BcryptHash[" + setting.version().prefix() + ", cost " + setting.cost() + ", hidden]";
  }
}
