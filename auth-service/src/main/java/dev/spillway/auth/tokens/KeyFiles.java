package dev.spillway.auth.tokens;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys from the operator's files: one to sign with, and any number that are only published, because
 * they will sign next or have signed before.
 */
final class KeyFiles {
  private KeyFiles() {}

  static KeyRing read(Path signing, SigningAlgorithm algorithm, List<Path> others)
      throws IOException, UnusableKeyException {
    List<RingKey> keys = new ArrayList<>();
    for (Path other : others) {
      keys.add(key(keys.size(), anyKind(other), Instant.MAX));
    }
    keys.add(key(keys.size(), key(signing, algorithm), Instant.MIN));
    if (keys.stream().map(key -> key.key().kid()).distinct().count() < keys.size()) {
      throw new UnusableKeyException("two of the files hold the same key");
    }
    return new KeyRing(keys, Instant.now(), Duration.ZERO);
  }

  private static RingKey key(long generation, SigningKey key, Instant signsFrom) {
    return new RingKey(generation, key, Instant.MIN, signsFrom, Instant.MAX);
  }

  private static SigningKey key(Path file, SigningAlgorithm algorithm)
      throws IOException, UnusableKeyException {
    String text = Files.readString(file);
    try {
      return SigningKey.proven(KeyPem.read(text, algorithm), algorithm);
    } catch (UnusableKeyException e) {
      throw new UnusableKeyException(file + ": " + e.getMessage());
    }
  }

  /** A change of algorithm is a change of keys: each kind of key fits one algorithm only. */
  private static SigningKey anyKind(Path file) throws IOException, UnusableKeyException {
    UnusableKeyException last = null;
    for (SigningAlgorithm algorithm : SigningAlgorithm.values()) {
      try {
        return key(file, algorithm);
      } catch (UnusableKeyException e) {
        last = e;
      }
    }
    throw last;
  }
}
