package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.BcryptBase64;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import java.util.Arrays;

/**
 * Where one bcrypt computation stands: Blowfish's subkeys and S-boxes, what they are expanded with,
 * and how many expansions are left. Begin, let a {@link Kernel} expand until nothing remains, take
 * the digest (Provos and Mazieres, "A Future-Adaptable Password Scheme", 1999).
 */
final class LaneState {
  /** Subkeys of Blowfish; the key and the salt are repeated to the same length. */
  static final int P_WORDS = 18;

  /** Subkeys, then the four S-boxes. */
  static final int WORDS = P_WORDS + 4 * 256;

  private static final int S0 = P_WORDS;
  private static final int S1 = S0 + 256;
  private static final int S2 = S1 + 256;
  private static final int S3 = S2 + 256;

  private static final int[] INITIAL = PiDigits.words(WORDS);

  /** "OrpheanBeholderScryDoubt", big-endian. */
  private static final int[] MAGIC = {
    0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274
  };

  private static final int MAGIC_ENCRYPTIONS = 64;

  /** Of 24 bytes computed bcrypt writes 23 down. */
  private static final int DIGEST_BYTES = 23;

  final int[] state = new int[WORDS];
  final int[] key = new int[P_WORDS];
  final int[] salt = new int[P_WORDS];

  /** Expansions with key and salt still to do; 31 bits are too few for cost 31. */
  long remaining;

  /** Sets up the computation, up to and including the expansion with key and salt together. */
  void begin(BcryptSetting setting, byte[] password) {
    byte[] saltBytes = setting.saltBytes();
    for (int i = 0; i < P_WORDS; i++) {
      int at = 4 * i % saltBytes.length;
      salt[i] =
          saltBytes[at] << 24
              | (saltBytes[at + 1] & 0xff) << 16
              | (saltBytes[at + 2] & 0xff) << 8
              | (saltBytes[at + 3] & 0xff);
    }
    KeyWords.write(password, key);
    System.arraycopy(INITIAL, 0, state, 0, WORDS);
    state[0] ^= KeyWords.countermeasure(setting.version(), password);
    expandWithKeyAndSalt();
    remaining = 1L << setting.cost();
  }

  /** The digest, once nothing remains. */
  BcryptDigest digest() {
    byte[] bytes = new byte[DIGEST_BYTES + 1];
    for (int i = 0; i < MAGIC.length; i += 2) {
      int left = MAGIC[i];
      int right = MAGIC[i + 1];
      for (int n = 0; n < MAGIC_ENCRYPTIONS; n++) {
        long block = encrypt(left, right);
        left = (int) (block >>> 32);
        right = (int) block;
      }
      write(left, bytes, 4 * i);
      write(right, bytes, 4 * i + 4);
    }
    return BcryptDigest.of(BcryptBase64.encode(Arrays.copyOf(bytes, DIGEST_BYTES)));
  }

  /** Leaves nothing of the password behind. */
  void wipe() {
    Arrays.fill(key, 0);
    Arrays.fill(state, 0);
    remaining = 0;
  }

  private void expandWithKeyAndSalt() {
    for (int i = 0; i < P_WORDS; i++) {
      state[i] ^= key[i];
    }
    int left = 0;
    int right = 0;
    for (int i = 0; i < WORDS; i += 2) {
      long block = encrypt(left ^ salt[i & 3], right ^ salt[(i & 3) + 1]);
      left = (int) (block >>> 32);
      right = (int) block;
      state[i] = left;
      state[i + 1] = right;
    }
  }

  /** One block through the cipher; written for clarity, as the kernels do all but a sliver. */
  private long encrypt(int left, int right) {
    int l = left ^ state[0];
    int r = right;
    for (int round = 1; round <= 16; round += 2) {
      r ^= state[round] ^ f(l);
      l ^= state[round + 1] ^ f(r);
    }
    return (long) (r ^ state[17]) << 32 | (l & 0xffff_ffffL);
  }

  private int f(int x) {
    return ((state[S0 + (x >>> 24)] + state[S1 + (x >>> 16 & 0xff)]) ^ state[S2 + (x >>> 8 & 0xff)])
        + state[S3 + (x & 0xff)];
  }

  private static void write(int word, byte[] bytes, int at) {
    bytes[at] = (byte) (word >>> 24);
    bytes[at + 1] = (byte) (word >>> 16);
    bytes[at + 2] = (byte) (word >>> 8);
    bytes[at + 3] = (byte) word;
  }
}
