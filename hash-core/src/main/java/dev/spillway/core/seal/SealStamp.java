package dev.spillway.core.seal;

/**
 * The key id and time of a request's seals, which travel in clear.
 *
 * @param keyId the key they were made with
 * @param issuedAt when, in seconds since 1970
 */
public record SealStamp(String keyId, long issuedAt) {
  /** Far from any overflow, and some thousand years away. */
  private static final long LATEST = 99_999_999_999L;

  public SealStamp {
    if (!isWellFormed(keyId, issuedAt)) {
      throw new IllegalArgumentException("not the stamp of a seal");
    }
  }

  public static boolean isWellFormed(String keyId, long issuedAt) {
    return SealKeys.isId(keyId) && issuedAt >= 0 && issuedAt <= LATEST;
  }
}
