package dev.spillway.auth.tokens;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A pair of keys as text (RFC 7468): a block PRIVATE KEY and a block PUBLIC KEY. */
final class KeyPem {
  private static final String PRIVATE = "PRIVATE KEY";
  private static final String PUBLIC = "PUBLIC KEY";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private KeyPem() {}

  static String write(KeyPair pair) {
    return block(PRIVATE, pair.getPrivate().getEncoded())
        + block(PUBLIC, pair.getPublic().getEncoded());
  }

  /** The keys as they stand there; whether they belong together is for {@link SigningKey}. */
  static KeyPair read(String text, SigningAlgorithm algorithm) throws UnusableKeyException {
    Map<String, String> blocks = blocks(text);
    byte[] privateKey = decode(blocks, PRIVATE);
    byte[] publicKey = decode(blocks, PUBLIC);
    try {
      KeyFactory factory = KeyFactory.getInstance(algorithm.keyFamily());
      return new KeyPair(
          factory.generatePublic(new X509EncodedKeySpec(publicKey)),
          factory.generatePrivate(new PKCS8EncodedKeySpec(privateKey)));
    } catch (GeneralSecurityException e) {
      throw new UnusableKeyException(
          algorithm.joseName() + " needs " + algorithm.keyInWords() + ", and this is none");
    }
  }

  private static Map<String, String> blocks(String text) throws UnusableKeyException {
    Map<String, String> blocks = new LinkedHashMap<>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      if (blocks.put(matcher.group(1), matcher.group(2)) != null) {
        throw new UnusableKeyException("there are two blocks " + matcher.group(1));
      }
    }
    return blocks;
  }

  private static byte[] decode(Map<String, String> blocks, String label)
      throws UnusableKeyException {
    String base64 = blocks.get(label);
    if (base64 == null) {
      throw new UnusableKeyException(
          "there is no block "
              + label
              + (blocks.isEmpty() ? "" : ", only " + String.join(", ", blocks.keySet()))
              + "; openssl genpkey and openssl pkey -pubout write the two that are needed");
    }
    try {
      return Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      throw new UnusableKeyException("the block " + label + " is not base64");
    }
  }

  private static String block(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, LINES.encodeToString(der), label);
  }
}
