package dev.spillway.locallambda;

/** What a caller signs with. */
public record KeyPair(String id, String secret) {
  public KeyPair {
    if (id.isBlank() || secret.isBlank()) {
      throw new IllegalArgumentException("a key pair has an id and a secret");
    }
  }

  /** The id alone. */
  @Override
  public String toString() {
    return id;
  }
}
