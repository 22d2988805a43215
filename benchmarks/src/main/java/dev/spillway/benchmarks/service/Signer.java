package dev.spillway.benchmarks.service;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/** Signs tokens with one key by one provider. */
record Signer(String name, KeyPair key, String algorithm, Provider provider) {
  static final String ECDSA = "SHA256withECDSAinP1363Format";

  /** As long as what is signed of one of our tokens. */
  private static final byte[] TOKEN = "e".repeat(320).getBytes(StandardCharsets.US_ASCII);

  /** Has proved that what it signs is right. */
  static Signer of(String name, KeyPair key, String algorithm, Provider provider)
      throws GeneralSecurityException {
    Signer signer = new Signer(name, key, algorithm, provider);
    Signature check = Signature.getInstance(algorithm);
    check.initVerify(key.getPublic());
    check.update(TOKEN);
    if (!check.verify(signer.sign())) {
      throw new GeneralSecurityException(name + " signs wrongly");
    }
    return signer;
  }

  /** As the service signs by default. */
  static Signer es256() throws GeneralSecurityException {
    return of("ES256, JDK", ecKey(), ECDSA, provider("SunEC"));
  }

  static Provider provider(String name) {
    return Security.getProvider(name);
  }

  static KeyPair ecKey() throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("EC", "SunEC");
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    return keys.generateKeyPair();
  }

  /** With an object of its own each time, as the library that signs our tokens does it. */
  byte[] sign() throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm, provider);
    signature.initSign(key.getPrivate());
    signature.update(TOKEN);
    return signature.sign();
  }
}
