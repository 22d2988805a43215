package dev.spillway.auth.throttle;

import dev.spillway.auth.network.ClientNetwork;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The keys an attempt is counted under.
 *
 * @param pair the account from this network
 * @param widePair the account from the widest network around it, if there is one
 * @param account the account from everywhere
 * @param networks the network, whatever the account, and the wider ones around it
 */
record Keys(String pair, Optional<String> widePair, String account, List<String> networks) {
  private static final int BYTES = 16;

  /**
   * @param login in its normal form, if it has one
   */
  static Keys of(String login, ClientNetwork network) {
    List<String> wider = network.wider();
    List<String> networks = new ArrayList<>();
    networks.add("n" + digest(network.text()));
    wider.forEach(wide -> networks.add("n" + digest(wide)));
    return new Keys(
        "p" + digest(login, network.text()),
        wider.isEmpty() ? Optional.empty() : Optional.of("w" + digest(login, wider.getLast())),
        account(login),
        networks);
  }

  static String account(String login) {
    return "a" + digest(login);
  }

  /** In the order in which they are locked: no two transactions wait for each other. */
  List<String> all() {
    List<String> all = new ArrayList<>();
    all.add(pair);
    widePair.ifPresent(all::add);
    all.add(account);
    all.addAll(networks);
    return all;
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
