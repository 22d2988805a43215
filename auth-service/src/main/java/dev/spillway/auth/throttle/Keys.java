package dev.spillway.auth.throttle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The three keys an attempt is counted under.
 *
 * @param pair the account from this network
 * @param account the account from everywhere
 * @param network the network, whatever the account
 */
record Keys(String pair, String account, String network) {
  private static final int BYTES = 16;

  /**
   * @param login in its normal form, if it has one
   */
  static Keys of(String login, String network) {
    return new Keys("p" + digest(login, network), "a" + digest(login), "n" + digest(network));
  }

  List<String> all() {
    return List.of(pair, account, network);
  }

  /** Each part behind its length: no two lists of parts are the same bytes. */
  private static String digest(String... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        sha.update(bytes);
      }
      return HexFormat.of().formatHex(sha.digest(), 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
