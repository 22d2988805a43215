package dev.spillway.auth.tokens;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Arrays;

/** How tokens are signed; each one fixes the kind of key (RFC 7518, RFC 8037). */
public enum SigningAlgorithm {
  ES256("ES256", "EC", "SHA256withECDSA", "an EC key on the curve P-256", SignatureAlgorithm.ES256),
  RS256(
      "RS256",
      "RSA",
      "SHA256withRSA",
      "an RSA key of at least 2048 bits",
      SignatureAlgorithm.RS256),
  EDDSA("EdDSA", "Ed25519", "Ed25519", "an Ed25519 key", SignatureAlgorithm.EDDSA);

  private static final int P256_BITS = 256;
  private static final int MIN_RSA_BITS = 2048;
  private static final int GENERATED_RSA_BITS = 3072;

  private final String joseName;
  private final String keyFamily;
  private final String signatureName;
  private final String keyInWords;
  private final SignatureAlgorithm forBuilder;

  SigningAlgorithm(
      String joseName,
      String keyFamily,
      String signatureName,
      String keyInWords,
      SignatureAlgorithm forBuilder) {
    this.joseName = joseName;
    this.keyFamily = keyFamily;
    this.signatureName = signatureName;
    this.keyInWords = keyInWords;
    this.forBuilder = forBuilder;
  }

  /** By the value of {@code alg}, letter for letter. */
  static SigningAlgorithm named(String joseName) throws UnusableKeyException {
    for (SigningAlgorithm algorithm : values()) {
      if (algorithm.joseName.equals(joseName)) {
        return algorithm;
      }
    }
    throw new UnusableKeyException("it is for " + joseName + ", which is not known here");
  }

  static String[] joseNames() {
    return Arrays.stream(values()).map(SigningAlgorithm::joseName).toArray(String[]::new);
  }

  /** The value of {@code alg} in a token's header. */
  String joseName() {
    return joseName;
  }

  /** Name of the factory of keys in the JDK. */
  String keyFamily() {
    return keyFamily;
  }

  /** Name of the signature in the JDK. */
  String signatureName() {
    return signatureName;
  }

  /** For messages: the key this algorithm needs. */
  String keyInWords() {
    return keyInWords;
  }

  SignatureAlgorithm forBuilder() {
    return forBuilder;
  }

  boolean fits(PublicKey key) {
    return switch (this) {
      case ES256 -> key instanceof ECPublicKey ec && isP256(ec);
      case RS256 -> key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() >= MIN_RSA_BITS;
      case EDDSA ->
          key instanceof EdECPublicKey ed
              && ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName());
    };
  }

  KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(keyFamily);
      generator.initialize(parameters());
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + keyFamily, e);
    }
  }

  private AlgorithmParameterSpec parameters() {
    return switch (this) {
      case ES256 -> new ECGenParameterSpec("secp256r1");
      case RS256 -> new RSAKeyGenParameterSpec(GENERATED_RSA_BITS, RSAKeyGenParameterSpec.F4);
      case EDDSA -> NamedParameterSpec.ED25519;
    };
  }

  /** Of the curves with a field of 256 bits, the JDK knows P-256 alone. */
  private static boolean isP256(ECPublicKey key) {
    return key.getParams().getCurve().getField().getFieldSize() == P256_BITS;
  }
}
