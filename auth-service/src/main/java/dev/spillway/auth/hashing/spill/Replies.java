package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.SpillAnswer.Reason;
import dev.spillway.auth.hashing.spill.balance.Ending;
import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import dev.spillway.auth.hashing.spill.lambda.NoCredentials;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import io.vertx.core.VertxException;
import io.vertx.core.http.StreamResetException;
import jakarta.ws.rs.ProcessingException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jboss.resteasy.reactive.RestResponse;

/** Reads what came back from a target, with no trust in it. */
final class Replies {
  private Replies() {}

  /** Either a reply, or why there is none. */
  record Read(DigestReply reply, Reason reason) {
    /** Nothing but a well-formed digest under the job's own id leaves here as a digest. */
    SpillAnswer answer(String id) {
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

  static Read read(RestResponse<byte[]> response, Throwable failure) {
    if (failure != null) {
      return new Read(null, reasonOf(failure));
    }
    return switch (response.getStatus()) {
      case 200 ->
          response.getHeaders().containsKey(LambdaEndpoint.FUNCTION_ERROR)
              ? new Read(null, Reason.FUNCTION_ERROR)
              : reply(response.getEntity());
      case 429 -> new Read(null, Reason.THROTTLED);
      case 401, 403, 404 -> new Read(null, Reason.MISCONFIGURED);
      default -> new Read(null, response.getStatus() >= 500 ? Reason.UNAVAILABLE : Reason.REJECTED);
    };
  }

  /** What an answer says about its target; LATE is for the call to judge. */
  static Ending ending(SpillAnswer answer) {
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

  /** The innermost cause that we know decides; how often it is wrapped is the client's affair. */
  private static Reason reasonOf(Throwable failure) {
    Reason reason = Reason.MALFORMED;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      reason =
          switch (cause) {
            case CancellationException left -> Reason.LATE;
            case TimeoutException late -> Reason.LATE;
            case NoCredentials none -> Reason.MISCONFIGURED;
            case StreamResetException tooLong -> Reason.MALFORMED; // ours: see LambdaEndpoint
            case ProcessingException broken -> Reason.UNREACHABLE;
            case IOException broken -> Reason.UNREACHABLE;
            case VertxException broken -> Reason.UNREACHABLE; // closed in mid-body
            default -> reason;
          };
    }
    return reason;
  }
}
