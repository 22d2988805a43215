package dev.spillway.auth.hashing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.ParsedHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.scrypt.SCryptPasswordEncoder;

/** Hashes that other programs made. */
class StoredHashTest {
  private static final String PASSWORD = "correct horse \u00e9";
  private static final int MAX_COST = 15;

  /** Django 5.2.19, passlib 1.7.4 and argon2-cffi 25.1.0, each with its defaults. */
  static final List<String> VECTORS =
      List.of(
          "pbkdf2_sha256$1000000$VqEl5ljMJ2sBGIvaHD7AWe$yh3I+ONp+R36SohSHqYSDh02j/re/DxKSQ+Ex36lBiA=",
          "pbkdf2_sha1$1000000$pJNNiLjALT3dX7pKEh7fGv$v53f4lrZZ73RkISCU7iv+55T2IY=",
          "argon2$argon2id$v=19$m=102400,t=2,p=8$Nkx3cTl4UFNzS2kzV1g4T3lHOGpzSQ$Kht1q0pnyK1Eq6WUu/mXCrAizCqcomBhuhw5ZGUUvx0",
          "scrypt$16384$XNf28nZhG6WgbHkvOWjB6u$8$5$8bSPDgrSuVsHFMD7Y6dD7HphXbjmpMdNAPonDhHZdVg7VqquxoRy149df1DT+se/TVM4o7kZsuHZIlGbB4FTIQ==",
          "$pbkdf2$131000$dS5lDIFwTkmptVYKYWwtZQ$ZShn0gI7wSbyPkhXu5zwGywpppQ",
          "$pbkdf2-sha256$29000$NEbIuTfmfM85B8BYq/V.Tw$6fEkmpKYUete2yvzP/I3IpJJEL.tLtVjdo.oL8IkOvA",
          "$pbkdf2-sha512$25000$E4Lw/h9DqFUKYQzBWCslxA$6hfsHqtYVvbHm2VJxGqS9KDAwSOr0x2O85H81RHngp2pV.75gNlJm.GQOhz1Mz8HMbSTUz.d3jhjDlQKa5.JsQ",
          "$scrypt$ln=12,r=8,p=1$8n6P0bo3BgDgHMP4P6e01g$XmMYd1i9lerrI8usf28DMU65NEm1W3TBedOYERKk/u0",
          "$argon2id$v=19$m=65536,t=3,p=4$IuKaIjFnPRuT0izWA2f/ag$mc3BQcqukOPUfnyNhlwafbdiQumZPwACPKAK7zNhO2E",
          "$argon2i$v=19$m=65536,t=3,p=4$1U3m0SOXjcsjaWPIHYzBSA$uA/eNtXMZhdA3ev36+d1sLkuGC1yLQqjwwog1WXsBZ0",
          "$argon2d$v=19$m=65536,t=3,p=4$kKc+hEQ5pWHmFzwyfzwM8g$PSwDOB1NMlFHT00oPyMzNOmYjfjh6f+nXMowsACe5d8");

  static List<String> vectors() {
    return VECTORS;
  }

  /** As an application of Spring Security stores them. */
  static List<String> spring() {
    Map<String, PasswordEncoder> encoders =
        Map.of(
            "argon2", Argon2PasswordEncoder.defaultsForSpringSecurity_v5_2(),
            "argon2@SpringSecurity_v5_8", Argon2PasswordEncoder.defaultsForSpringSecurity_v5_8(),
            "scrypt", SCryptPasswordEncoder.defaultsForSpringSecurity_v4_1(),
            "scrypt@SpringSecurity_v5_8", SCryptPasswordEncoder.defaultsForSpringSecurity_v5_8(),
            "pbkdf2", Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_5(),
            "pbkdf2@SpringSecurity_v5_8", Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_8());
    return encoders.keySet().stream()
        .sorted()
        .map(id -> new DelegatingPasswordEncoder(id, encoders).encode(PASSWORD))
        .toList();
  }

  @ParameterizedTest
  @MethodSource({"vectors", "spring"})
  void hashOfAnotherProgram_matchesItsPasswordOnly_andStaysSoInOurForm(String text) {
    StoredHash.Foreign hash = foreign(text);
    assertThat(matches(hash, PASSWORD)).isTrue();
    assertThat(matches(hash, "correct horse e")).isFalse();
    assertThat(foreign(hash.encoded()).encoded()).isEqualTo(hash.encoded());
    assertThat(matches(foreign(hash.encoded()), PASSWORD)).isTrue();
    assertThat(hash.encoded().length()).isLessThanOrEqualTo(255);
    assertThat(hash.toString())
        .doesNotContain(hash.encoded().substring(hash.encoded().lastIndexOf('$')));
  }

  @Test
  void keycloaksParameters_areReadAsItsExportIsConverted() {
    assertThat(foreign("$pbkdf2-sha512$i=210000$c2FsdHNhbHQ$" + "A".repeat(86)).derivation())
        .isEqualTo(new KeyDerivation.Pbkdf2(KeyDerivation.Pbkdf2.Hmac.SHA512, 210_000, 64));
    assertThat(foreign("$argon2id$v=19$m=7168,t=5,p=1$c2FsdHNhbHQ$" + "A".repeat(43)).derivation())
        .isEqualTo(
            new KeyDerivation.Argon2(KeyDerivation.Argon2.Type.ARGON2ID, 19, 7168, 5, 1, 32));
  }

  @Test
  void bcryptOfSpring_isBcrypt() {
    String hash = "$2a$10$" + "a".repeat(52) + ".";
    assertThat(((StoredHash.Parsed.Valid) StoredHash.parse("{bcrypt}" + hash, MAX_COST)).hash())
        .isInstanceOf(StoredHash.Bcrypt.class)
        .extracting(StoredHash::encoded)
        .isEqualTo(hash);
  }

  /** One such hash would hold a thread for seconds, or take the memory of the service. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "$pbkdf2-sha256$i=20000000$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=20,r=8,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=8,p=999$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA$",
        "$argon2id$v=19$m=262144,t=1,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "$argon2id$v=19$m=65536,t=999,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      })
  void expensiveHash_isRefusedBeforeItIsBegun(String text) {
    String whole = text.endsWith("$") ? text.substring(0, text.length() - 1) : text;
    assertThat(StoredHash.parse(whole, text.endsWith("$") ? 4 : MAX_COST))
        .isEqualTo(new StoredHash.Parsed.Invalid(ParsedHash.Reason.COST_TOO_HIGH));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{noop}secret",
        "md5$salt$5f4dcc3b5aa765d61d8327deb882cf99",
        "bcrypt_sha256$$2b$12$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "$pbkdf2-sha256$i=1000$c2FsdHNhbHQ$AAAA",
        "$pbkdf2-md5$i=1000$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$i=0$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$pbkdf2-sha256$i=99999999999$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$argon2id$v=18$m=65536,t=3,p=4$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$argon2id$v=19$m=8,t=1,p=4$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=0,r=8,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA",
        "scrypt$16383$salt$8$1$AAAAAAAAAAAAAAAAAAAAAA==",
        "{pbkdf2}00112233",
        "{pbkdf2}no hexadecimal",
      })
  void anythingElse_isMalformed(String text) {
    assertThat(StoredHash.parse(text, MAX_COST))
        .isEqualTo(new StoredHash.Parsed.Invalid(ParsedHash.Reason.MALFORMED));
  }

  private static StoredHash.Foreign foreign(String text) {
    assertThat(StoredHash.parse(text, MAX_COST)).isInstanceOf(StoredHash.Parsed.Valid.class);
    return (StoredHash.Foreign) ((StoredHash.Parsed.Valid) StoredHash.parse(text, MAX_COST)).hash();
  }

  private static boolean matches(StoredHash.Foreign hash, String password) {
    return MessageDigest.isEqual(
        hash.key().array(),
        hash.derivation().derive(password.getBytes(StandardCharsets.UTF_8), hash.salt().array()));
  }
}
