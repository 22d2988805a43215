package dev.spillway.auth.tokens;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;

/**
 * A key pair that signs tokens, checked to fit its algorithm and to be a pair.
 *
 * @param kid RFC 7638 thumbprint, so that equal keys have equal names wherever they came from
 */
record SigningKey(
    String kid, SigningAlgorithm algorithm, PrivateKey privateKey, PublicKey publicKey) {

  static SigningKey proven(KeyPair pair, SigningAlgorithm algorithm) throws UnusableKeyException {
    if (!algorithm.fits(pair.getPublic())) {
      throw new UnusableKeyException(
          algorithm.joseName() + " needs " + algorithm.keyInWords() + ", and this is another");
    }
    if (!isPair(pair, algorithm)) {
      throw new UnusableKeyException("the private key and the public key are not a pair");
    }
    String kid = jwk(pair.getPublic()).calculateBase64urlEncodedThumbprint("SHA-256");
    return new SigningKey(kid, algorithm, pair.getPrivate(), pair.getPublic());
  }

  KeyPair pair() {
    return new KeyPair(publicKey, privateKey);
  }

  /** The public half as others are told it (RFC 7517). */
  PublicJsonWebKey toJwk() {
    PublicJsonWebKey jwk = jwk(publicKey);
    jwk.setKeyId(kid);
    jwk.setAlgorithm(algorithm.joseName());
    jwk.setUse("sig");
    return jwk;
  }

  private static PublicJsonWebKey jwk(PublicKey key) {
    try {
      return (PublicJsonWebKey) JsonWebKey.Factory.newJwk(key);
    } catch (JoseException e) {
      throw new IllegalStateException("a key that fits an algorithm has a JWK", e);
    }
  }

  private static boolean isPair(KeyPair pair, SigningAlgorithm algorithm) {
    byte[] probe = "spillway".getBytes(StandardCharsets.US_ASCII);
    try {
      Signature signature = Signature.getInstance(algorithm.signatureName());
      signature.initSign(pair.getPrivate());
      signature.update(probe);
      byte[] signed = signature.sign();
      signature.initVerify(pair.getPublic());
      signature.update(probe);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Leaves the keys out. */
  @Override
  public String toString() {
    return "SigningKey[%s, %s]".formatted(algorithm.joseName(), kid);
  }
}
