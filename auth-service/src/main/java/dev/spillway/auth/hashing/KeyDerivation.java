package dev.spillway.auth.hashing;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.generators.SCrypt;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** A password hash of another kind than bcrypt, without salt and key. Cost and memory are known. */
sealed interface KeyDerivation {
  /**
   * What bcrypt of cost 0 would take, in nanoseconds. This and the factors below are CPU time of
   * one run: Intel Xeon, JDK 25.0.3, Bouncy Castle 1.87.
   */
  double BCRYPT_NANOS = 45_000;

  /** The key of a password. */
  byte[] derive(byte[] password, byte[] salt);

  /** Time it takes, in nanoseconds on the machine that {@link #BCRYPT_NANOS} was measured on. */
  double nanos();

  /** Bytes of memory it takes. */
  long memory();

  /** Algorithm and parameters as the PHC string format writes them, from {@code $} to {@code $}. */
  String written();

  /** Length of the key, in bytes. */
  int length();

  /** The cost of the bcrypt hash that takes about as long. */
  default int cost() {
    return Math.max(0, (int) Math.round(Math.log(nanos() / BCRYPT_NANOS) / Math.log(2)));
  }

  /** RFC 8018, 5.2. */
  record Pbkdf2(Hmac hmac, int iterations, int length) implements KeyDerivation {
    /** Its pseudorandom function, and nanoseconds of one iteration. */
    enum Hmac {
      SHA1(20, 215),
      SHA256(32, 180),
      SHA512(64, 750);

      private final int bytes;
      private final int nanos;

      Hmac(int bytes, int nanos) {
        this.bytes = bytes;
        this.nanos = nanos;
      }
    }

    @Override
    public byte[] derive(byte[] password, byte[] salt) {
      CharBuffer text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(password));
      char[] characters = Arrays.copyOf(text.array(), text.limit());
      PBEKeySpec spec = new PBEKeySpec(characters, salt, iterations, 8 * length);
      try {
        return SecretKeyFactory.getInstance("PBKDF2WithHmac" + hmac.name())
            .generateSecret(spec)
            .getEncoded();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e); // every JDK has it
      } finally {
        spec.clearPassword();
        Arrays.fill(characters, '\0');
        Arrays.fill(text.array(), '\0');
      }
    }

    @Override
    public double nanos() {
      int blocks = (length + hmac.bytes - 1) / hmac.bytes;
      return (double) iterations * blocks * hmac.nanos;
    }

    @Override
    public long memory() {
      return length;
    }

    @Override
    public String written() {
      return "$pbkdf2-%s$i=%d,l=%d$"
          .formatted(hmac.name().toLowerCase(Locale.ROOT), iterations, length);
    }
  }

  /** RFC 7914. */
  record Scrypt(int logN, int r, int p, int length) implements KeyDerivation {
    @Override
    public byte[] derive(byte[] password, byte[] salt) {
      return SCrypt.generate(password, salt, 1 << logN, r, p, length);
    }

    /** Two passes of 2 r blocks of Salsa20/8 over N. */
    @Override
    public double nanos() {
      return 300.0 * (1L << logN) * r * p;
    }

    @Override
    public long memory() {
      return 128L * r * ((1L << logN) + p);
    }

    @Override
    public String written() {
      return "$scrypt$ln=%d,r=%d,p=%d,l=%d$".formatted(logN, r, p, length);
    }
  }

  /** RFC 9106. */
  record Argon2(Type type, int version, int kibibytes, int passes, int lanes, int length)
      implements KeyDerivation {
    /** In the order of their numbers in the RFC. */
    enum Type {
      ARGON2D,
      ARGON2I,
      ARGON2ID
    }

    @Override
    public byte[] derive(byte[] password, byte[] salt) {
      Argon2BytesGenerator generator = new Argon2BytesGenerator();
      generator.init(
          new Argon2Parameters.Builder(type.ordinal())
              .withVersion(version)
              .withMemoryAsKB(kibibytes)
              .withIterations(passes)
              .withParallelism(lanes)
              .withSalt(salt)
              .build());
      byte[] key = new byte[length];
      generator.generateBytes(password, key);
      return key;
    }

    @Override
    public double nanos() {
      return 820.0 * kibibytes * passes;
    }

    @Override
    public long memory() {
      return 1024L * kibibytes;
    }

    @Override
    public String written() {
      return "$%s$v=%d$m=%d,t=%d,p=%d,l=%d$"
          .formatted(
              type.name().toLowerCase(Locale.ROOT), version, kibibytes, passes, lanes, length);
    }
  }
}
