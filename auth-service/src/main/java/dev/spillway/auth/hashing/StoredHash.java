package dev.spillway.auth.hashing;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.Spending;
import dev.spillway.hashing.deadline.Deadline;
import java.security.MessageDigest;
import java.util.Base64;

/** A stored hash that can be verified. */
public sealed interface StoredHash {
  /** What a hash of another kind may take of memory, in bytes; docs/migration.md. */
  long MAX_MEMORY = 128L << 20;

  /** As it stands in the database. */
  String encoded();

  /** The cost of the bcrypt hash that takes as long. */
  int cost();

  /**
   * Holds a password against it, with a permit of the pool.
   *
   * @param password left as it is
   * @param own decides whether it may be spilled
   */
  HashAnswer<Boolean> verify(Hashing hashing, byte[] password, Spending own, Deadline deadline);

  /** bcrypt. */
  record Bcrypt(BcryptHash hash) implements StoredHash {
    @Override
    public String encoded() {
      return hash.encoded();
    }

    @Override
    public int cost() {
      return hash.setting().cost();
    }

    @Override
    public HashAnswer<Boolean> verify(
        Hashing hashing, byte[] password, Spending own, Deadline deadline) {
      return hashing.verify(hash, password, own, deadline);
    }
  }

  /** Of another system; never spilled, for the function computes bcrypt only. */
  record Foreign(KeyDerivation derivation, Bytes salt, Bytes key) implements StoredHash {
    @Override
    public String encoded() {
      Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
      return derivation.written()
          + base64.encodeToString(salt.array())
          + "$"
          + base64.encodeToString(key.array());
    }

    @Override
    public int cost() {
      return derivation.cost();
    }

    @Override
    public HashAnswer<Boolean> verify(
        Hashing hashing, byte[] password, Spending own, Deadline deadline) {
      return hashing.verify(
          cost(),
          () -> MessageDigest.isEqual(key.array(), derivation.derive(password, salt.array())),
          deadline);
    }

    @Override
    public String toString() {
      return "Foreign[" + derivation.written() + "hidden]";
    }
  }

  /** Bytes that are not shown. */
  record Bytes(byte[] array) {
    @Override
    public String toString() {
      return "Bytes[hidden]";
    }
  }

  /** What a text was read as. */
  sealed interface Parsed {
    /** A hash that can be verified. */
    record Valid(StoredHash hash) implements Parsed {}

    /** No password can match it. */
    record Invalid(ParsedHash.Reason reason) implements Parsed {}
  }

  /**
   * Reads a hash as this service or another system stored it.
   *
   * @param maxCost highest cost that is verified, for all kinds alike
   */
  static Parsed parse(String text, int maxCost) {
    String bcrypt = text.startsWith("{bcrypt}") ? text.substring("{bcrypt}".length()) : text;
    return switch (ParsedHash.of(bcrypt, maxCost)) {
      case ParsedHash.Valid(BcryptHash hash) -> new Parsed.Valid(new Bcrypt(hash));
      case ParsedHash.Invalid(ParsedHash.Reason reason) ->
          bcrypt.startsWith("$2")
              ? new Parsed.Invalid(reason)
              : ForeignForms.read(text)
                  .map(hash -> bounded(hash, maxCost))
                  .orElseGet(() -> new Parsed.Invalid(ParsedHash.Reason.MALFORMED));
    };
  }

  private static Parsed bounded(Foreign hash, int maxCost) {
    if (hash.cost() > maxCost || hash.derivation().memory() > MAX_MEMORY) {
      return new Parsed.Invalid(ParsedHash.Reason.COST_TOO_HIGH);
    }
    return new Parsed.Valid(hash);
  }
}
