package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.BcryptVersion;

/**
 * A password as Blowfish's key schedule takes it: the bytes with a NUL behind them, repeated over
 * 18 big-endian words.
 *
 * <p>An early implementation sign-extended bytes over 0x7f, so that for some passwords a few
 * characters decided nothing (CVE-2011-2483). Hashes marked {@code $2a$} may come from it or from a
 * correct one; crypt_blowfish 1.1 therefore made the correct computation differ, for {@code $2a$}
 * alone, on exactly those passwords that the faulty one could collide with. spring-security-crypto
 * and libxcrypt do the same, and so must we.
 */
final class KeyWords {
  private KeyWords() {}

  /** Writes the {@link LaneState#P_WORDS} words of {@code password} to {@code words}. */
  static void write(byte[] password, int[] words) {
    int at = 0;
    for (int i = 0; i < words.length; i++) {
      int word = 0;
      for (int j = 0; j < 4; j++) {
        word = word << 8 | (at < password.length ? password[at] & 0xff : 0);
        at = at == password.length ? 0 : at + 1;
      }
      words[i] = word;
    }
  }

  /**
   * What the first subkey is changed by before the first key expansion: zero, or 0x10000 for a
   * {@code $2a$} password that sign extension touches without changing any word of its key.
   */
  static int countermeasure(BcryptVersion version, byte[] password) {
    if (version != BcryptVersion.V2A) {
      return 0;
    }
    boolean signed = false;
    int at = 0;
    for (int i = 0; i < LaneState.P_WORDS; i++) {
      int word = 0;
      int extended = 0;
      for (int j = 0; j < 4; j++) {
        byte b = at < password.length ? password[at] : 0;
        word = word << 8 | (b & 0xff);
        extended = extended << 8 | b;
        signed |= j > 0 && b < 0;
        at = at == password.length ? 0 : at + 1;
      }
      if (word != extended) {
        return 0;
      }
    }
    return signed ? 0x10000 : 0;
  }
}
