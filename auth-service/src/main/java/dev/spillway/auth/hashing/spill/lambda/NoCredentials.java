package dev.spillway.auth.hashing.spill.lambda;

/** Nothing to sign with: a call was not made. */
public final class NoCredentials extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoCredentials() {
    super("no AWS credentials", null, false, false);
  }
}
