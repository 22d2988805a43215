package dev.spillway.hashing.spill.wire;

import dev.spillway.core.bcrypt.BcryptDigest;
import java.util.Locale;

/** What came of asking a function for a digest. */
public sealed interface SpillAnswer {
  /** A well-formed digest under the right id. Whether it is the stored one is not decided here. */
  record Computed(BcryptDigest digest) implements SpillAnswer {}

  /** No digest, whatever came back. It says nothing about the password. */
  record NoDigest(Reason reason) implements SpillAnswer {}

  /** Why there is no digest. */
  enum Reason {
    /** No target is configured. */
    DISABLED,
    /** As many calls are outstanding as may be, or a target is throttled; none was made. */
    FULL,
    /** Every target failed lately and is left alone for a while; none was called. */
    COOLING,
    /** HTTP 429: the function's concurrency, or the account's, is used up. */
    THROTTLED,
    /** The deadline passed first, or the client went away. */
    LATE,
    /** No connection, or it broke. */
    UNREACHABLE,
    /** HTTP 401, 403 or 404: credentials, permission or name are wrong. An operator must act. */
    MISCONFIGURED,
    /** HTTP 5xx. */
    UNAVAILABLE,
    /** Any other status. */
    REJECTED,
    /** HTTP 200 with {@code X-Amz-Function-Error}: it threw, crashed or ran out of time. */
    FUNCTION_ERROR,
    /** HTTP 200, but not a digest reply with one result for the job. */
    MALFORMED,
    /** The function said that it will not compute this job. */
    DECLINED,
    /**
     * It said that it cannot open what was sealed for it, or takes nothing that is not: keys or
     * clocks differ. An operator must act.
     */
    SEAL_REFUSED;

    /** Whether no function was asked. */
    public boolean beforeAnyCall() {
      return switch (this) {
        case DISABLED, FULL, COOLING -> true;
        case THROTTLED,
            LATE,
            UNREACHABLE,
            MISCONFIGURED,
            UNAVAILABLE,
            REJECTED,
            FUNCTION_ERROR,
            MALFORMED,
            DECLINED,
            SEAL_REFUSED ->
            false;
      };
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
