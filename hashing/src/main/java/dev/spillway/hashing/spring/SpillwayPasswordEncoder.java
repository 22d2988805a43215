package dev.spillway.hashing.spring;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.PooledBcrypt;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Spring Security's {@code BCryptPasswordEncoder} with a bound: the same hashes, computed by a
 * {@link PooledBcrypt}. Overload is a {@link HashingOverloadException}. Thread-safe.
 */
public final class SpillwayPasswordEncoder implements PasswordEncoder {
  private static final System.Logger LOG = System.getLogger("dev.spillway.hashing");

  private final PooledBcrypt bcrypt;

  /**
   * @param bcrypt is not closed by this
   */
  public SpillwayPasswordEncoder(PooledBcrypt bcrypt) {
    this.bcrypt = bcrypt;
  }

  /**
   * Hashes a new password.
   *
   * @return null for null
   * @throws IllegalArgumentException if it is longer than 72 bytes in UTF-8: bcrypt would not look
   *     at the rest
   * @throws HashingOverloadException if there was no capacity in time
   */
  @Override
  public String encode(CharSequence rawPassword) {
    return rawPassword == null
        ? null
        : withBytes(
            rawPassword,
            password -> {
              if (password.length > BcryptHash.MAX_PASSWORD_BYTES) {
                throw new IllegalArgumentException("password cannot be more than 72 bytes");
              }
              return value(bcrypt.create(password)).encoded();
            });
  }

  /**
   * Whether the password is the one that was hashed. Of a password over 72 bytes the first 72 are
   * compared, as {@code BCryptPasswordEncoder} does.
   *
   * @throws HashingOverloadException if there was no capacity in time
   */
  @Override
  public boolean matches(CharSequence rawPassword, String encodedPassword) {
    if (rawPassword == null
        || rawPassword.isEmpty()
        || encodedPassword == null
        || encodedPassword.isEmpty()) {
      return false;
    }
    Optional<BcryptHash> stored = parsed(encodedPassword);
    return stored.isPresent()
        && withBytes(
            rawPassword,
            password -> {
              byte[] read =
                  Arrays.copyOf(password, Math.min(password.length, BcryptHash.MAX_PASSWORD_BYTES));
              try {
                return value(bcrypt.verify(read, stored.get()));
              } finally {
                Arrays.fill(read, (byte) 0);
              }
            });
  }

  /** Whether a new hash of the same password would be of a higher cost or a newer prefix. */
  @Override
  public boolean upgradeEncoding(String encodedPassword) {
    return encodedPassword != null
        && parsed(encodedPassword).filter(bcrypt.hashing()::outdated).isPresent();
  }

  private Optional<BcryptHash> parsed(String encoded) {
    return switch (ParsedHash.of(encoded, bcrypt.maxCost())) {
      case ParsedHash.Valid(BcryptHash hash) -> Optional.of(hash);
      case ParsedHash.Invalid(ParsedHash.Reason reason) -> {
        LOG.log(
            System.Logger.Level.WARNING,
            "A stored password hash cannot be verified: " + reason.label());
        yield Optional.empty();
      }
    };
  }

  private static <T> T value(HashAnswer<T> answer) {
    return switch (answer) {
      case HashAnswer.Computed<T>(T value, var path) -> value;
      case HashAnswer.Shed<T>(Duration retryAfter) ->
          throw new HashingOverloadException(retryAfter);
      case HashAnswer.Gone<T> gone -> throw new IllegalStateException("no client can have left");
    };
  }

  /** Copies are wiped; the characters themselves are the caller's. */
  private static <T> T withBytes(CharSequence raw, Function<byte[], T> use) {
    ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(raw));
    byte[] password = new byte[encoded.remaining()];
    try {
      encoded.get(password);
      return use.apply(password);
    } finally {
      Arrays.fill(password, (byte) 0);
      Arrays.fill(encoded.array(), (byte) 0);
    }
  }
}
