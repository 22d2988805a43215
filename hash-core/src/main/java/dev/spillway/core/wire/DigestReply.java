package dev.spillway.core.wire;

import dev.spillway.core.bcrypt.BcryptDigest;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The function's reply: for each job a digest, or why there is none. */
public record DigestReply(List<Result> results) {
  public DigestReply {
    results = List.copyOf(results);
  }

  /** The one result that names {@code id}; empty if none does, or more than one. */
  public Optional<Result> resultFor(String id) {
    Result found = null;
    for (Result result : results) {
      if (result.id().equals(id)) {
        if (found != null) {
          return Optional.empty();
        }
        found = result;
      }
    }
    return Optional.ofNullable(found);
  }

  /** The answer to one job. */
  public sealed interface Result {
    String id();
  }

  /** The digest of the job's setting and password. */
  public record Computed(String id, BcryptDigest digest) implements Result {
    public Computed {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(digest, "digest");
    }
  }

  /** No digest. */
  public record Declined(String id, Reason reason) implements Result {
    public Declined {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** Why a job has no digest; never repeats anything of the job. */
  public enum Reason {
    /** The setting is not valid, or its cost is above the function's cap. */
    BAD_SETTING,
    /** The password is not base64, or over 72 bytes. */
    BAD_PASSWORD,
    /** Too little of the invocation's time was left to begin it. */
    OUT_OF_TIME,
    /** The password is not sealed, and the function takes only those that are. */
    UNSEALED,
    /** Sealed with a key that the function does not have. */
    UNKNOWN_SEAL_KEY,
    /** Sealed with another key of that name, or for another job, or changed on its way. */
    BROKEN_SEAL,
    /** Sealed too long ago, or in the function's future. */
    STALE_SEAL,
    /** The function's fault. */
    INTERNAL,
    /** An error code that this version does not know; only read, never sent. */
    UNKNOWN;

    /** The word on the wire. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether service and function disagree about sealing. */
    public boolean aboutSealing() {
      return switch (this) {
        case UNSEALED, UNKNOWN_SEAL_KEY, BROKEN_SEAL, STALE_SEAL -> true;
        case BAD_SETTING, BAD_PASSWORD, OUT_OF_TIME, INTERNAL, UNKNOWN -> false;
      };
    }

    static Reason ofLabel(String label) {
      for (Reason reason : values()) {
        if (reason.label().equals(label)) {
          return reason;
        }
      }
      return UNKNOWN;
    }
  }
}
