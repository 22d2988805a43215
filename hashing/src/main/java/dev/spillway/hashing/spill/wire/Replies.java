package dev.spillway.hashing.spill.wire;

import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.spill.balance.Ending;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/** Reads what came back from a target, with no trust in it. */
public final class Replies {
  private Replies() {}

  /** Either a reply, or why there is none. */
  public record Read(DigestReply reply, Reason reason) {
    /** Nothing but a well-formed digest under the job's own id leaves here as a digest. */
    public SpillAnswer answer(String id) {
      if (reply == null) {
        return new SpillAnswer.NoDigest(reason);
      }
      return switch (reply.resultFor(id).orElse(null)) {
        case DigestReply.Computed(String ours, var digest) -> new SpillAnswer.Computed(digest);
        case DigestReply.Declined(String ours, DigestReply.Reason why) ->
            new SpillAnswer.NoDigest(why.aboutSealing() ? Reason.SEAL_REFUSED : Reason.DECLINED);
        case null -> new SpillAnswer.NoDigest(Reason.MALFORMED);
      };
    }
  }

  /** Of a reply, or of the failure in its place. */
  public static Read read(byte[] reply, Throwable failure) {
    return failure == null ? reply(reply) : new Read(null, reasonOf(failure));
  }

  /** What an answer says about its target; LATE is for the call to judge. */
  public static Ending ending(SpillAnswer answer) {
    return switch (answer) {
      case SpillAnswer.Computed computed -> Ending.ANSWERED;
      case SpillAnswer.NoDigest(Reason reason) ->
          switch (reason) {
            case DECLINED -> Ending.DECLINED;
            case THROTTLED -> Ending.THROTTLED;
            case MISCONFIGURED, SEAL_REFUSED -> Ending.FORBIDDEN;
            case UNREACHABLE, UNAVAILABLE, REJECTED, FUNCTION_ERROR, MALFORMED -> Ending.FAILED;
            case LATE, DISABLED, FULL, COOLING -> Ending.UNSETTLED;
          };
    };
  }

  private static Read reply(byte[] body) {
    if (body == null) {
      return new Read(null, Reason.MALFORMED);
    }
    try {
      return new Read(WireFormat.readReply(body), Reason.MALFORMED);
    } catch (WireException e) {
      return new Read(null, Reason.MALFORMED);
    }
  }

  /**
   * The innermost cause that we know decides; how often it is wrapped is its transport's affair.
   */
  private static Reason reasonOf(Throwable failure) {
    Reason reason = Reason.MALFORMED;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      reason =
          switch (cause) {
            case CancellationException left -> Reason.LATE;
            case TimeoutException late -> Reason.LATE;
            case TransportFailure known -> known.reason();
            case IOException broken -> Reason.UNREACHABLE;
            default -> reason;
          };
    }
    return reason;
  }
}
