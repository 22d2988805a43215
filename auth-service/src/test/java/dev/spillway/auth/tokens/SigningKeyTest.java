package dev.spillway.auth.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SigningKeyTest {
  @ParameterizedTest
  @EnumSource
  void generatedPair_survivesItsText(SigningAlgorithm algorithm) throws Exception {
    KeyPair pair = algorithm.generate();

    SigningKey read = SigningKey.proven(KeyPem.read(KeyPem.write(pair), algorithm), algorithm);

    assertThat(read).isEqualTo(SigningKey.proven(pair, algorithm));
    assertThat(read.toString()).contains(read.kid()).hasSizeLessThan(80);
  }

  /** The example of RFC 8037, appendix A.3. */
  @Test
  void kid_isTheThumbprint() throws Exception {
    String pem =
        """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
        -----END PRIVATE KEY-----
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
        -----END PUBLIC KEY-----
        """;

    SigningKey key =
        SigningKey.proven(
            KeyPem.read(pem.replace("\n", "\r\n"), SigningAlgorithm.EDDSA), SigningAlgorithm.EDDSA);

    assertThat(key.kid()).isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  }

  @ParameterizedTest
  @EnumSource
  void halvesOfTwoPairs_areRefused(SigningAlgorithm algorithm) {
    KeyPair mixed =
        new KeyPair(algorithm.generate().getPublic(), algorithm.generate().getPrivate());

    assertThatThrownBy(() -> SigningKey.proven(mixed, algorithm))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining("not a pair");
  }

  @Test
  void keyOfAnotherKind_isRefused() throws Exception {
    String ed = KeyPem.write(SigningAlgorithm.EDDSA.generate());
    assertThatThrownBy(() -> KeyPem.read(ed, SigningAlgorithm.ES256))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining("P-256");
    assertThatThrownBy(() -> SigningKey.proven(rsa(1024), SigningAlgorithm.RS256))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining("2048");
    KeyPairGenerator p384 = KeyPairGenerator.getInstance("EC");
    p384.initialize(new ECGenParameterSpec("secp384r1"));
    assertThatThrownBy(() -> SigningKey.proven(p384.generateKeyPair(), SigningAlgorithm.ES256))
        .isInstanceOf(UnusableKeyException.class);
  }

  @Test
  void incompletePem_isRefusedWithTheReason() {
    String both = KeyPem.write(SigningAlgorithm.ES256.generate());
    refused("", "no block PRIVATE KEY");
    refused(both.substring(0, both.indexOf("-----BEGIN PUBLIC")), "no block PUBLIC KEY");
    refused(both + both, "two blocks");
    refused(both.replace("PRIVATE KEY", "EC PRIVATE KEY"), "EC PRIVATE KEY");
    refused(both.replaceFirst("\n", "\n=*"), "not base64");
  }

  private static void refused(String pem, String reason) {
    assertThatThrownBy(() -> KeyPem.read(pem, SigningAlgorithm.ES256))
        .isInstanceOf(UnusableKeyException.class)
        .hasMessageContaining(reason);
  }

  private static KeyPair rsa(int bits) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(bits);
    return generator.generateKeyPair();
  }
}
