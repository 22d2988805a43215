package dev.spillway.core.bcrypt;

/**
 * The bcrypt variants whose meaning is agreed on. {@code $2x$} marks hashes made by a faulty
 * implementation (CVE-2011-2483) and is deliberately absent: it names another function.
 */
public enum BcryptVersion {
  /** OpenBSD's original; carries the countermeasure against sign-extended collisions. */
  V2A("2a"),
  /** OpenBSD since 5.5. */
  V2B("2b"),
  /** crypt_blowfish and PHP; computes what {@link #V2B} computes. */
  V2Y("2y");

  private final String prefix;

  BcryptVersion(String prefix) {
    this.prefix = prefix;
  }

  /** The two characters between the first two dollar signs. */
  public String prefix() {
    return prefix;
  }
}
