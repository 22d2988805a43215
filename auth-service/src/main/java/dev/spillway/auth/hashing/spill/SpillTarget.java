package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import io.vertx.core.VertxException;
import jakarta.ws.rs.ProcessingException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.resteasy.reactive.RestResponse;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * One function, and the calls outstanding to it.
 *
 * <p>Invariants: T1, at most {@code maxOutstanding} calls are out; who finds no slot is told so at
 * once. T2, a slot returns when its call has been answered, has failed or was cancelled, whichever
 * it was. T3, nothing but a well-formed digest under the job's own id leaves here as a digest.
 */
final class SpillTarget {
  private final String name;
  private final String function;
  private final LambdaApi api;
  private final int maxOutstanding;
  private final Semaphore slots;

  SpillTarget(String name, String function, LambdaApi api, int maxOutstanding) {
    this.name = name;
    this.function = function;
    this.api = api;
    this.maxOutstanding = maxOutstanding;
    this.slots = new Semaphore(maxOutstanding);
  }

  String name() {
    return name;
  }

  int maxOutstanding() {
    return maxOutstanding;
  }

  int outstanding() {
    return maxOutstanding - slots.availablePermits();
  }

  /** One job, one call. Blocks the calling (virtual) thread until the answer or the deadline. */
  SpillAnswer call(DigestRequest.Job job, Deadline deadline) {
    if (!slots.tryAcquire()) {
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.FULL);
    }
    byte[] event = WireFormat.write(new DigestRequest(java.util.List.of(job)));
    try {
      return answer(job.id(), invoke(event, deadline));
    } catch (NoAnswer e) {
      return new SpillAnswer.NoDigest(e.reason);
    } finally {
      Arrays.fill(event, (byte) 0);
      slots.release();
    }
  }

  private RestResponse<byte[]> invoke(byte[] event, Deadline deadline) throws NoAnswer {
    CompletableFuture<RestResponse<byte[]>> call =
        api.invoke(function, event).subscribeAsCompletionStage();
    try {
      // The whole answer by the deadline: a body that drips in byte by byte is late all the same.
      return call.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      call.cancel(true);
      throw new NoAnswer(SpillAnswer.Reason.LATE);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new NoAnswer(SpillAnswer.Reason.LATE);
    } catch (ExecutionException e) {
      throw new NoAnswer(reasonOf(e.getCause()));
    }
  }

  /** The innermost cause that we know decides; how often it is wrapped is the client's affair. */
  private static SpillAnswer.Reason reasonOf(Throwable failure) {
    SpillAnswer.Reason reason = SpillAnswer.Reason.MALFORMED;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      reason =
          switch (cause) {
            case TimeoutException late -> SpillAnswer.Reason.LATE;
            case SdkException noCredentials -> SpillAnswer.Reason.MISCONFIGURED;
            case ProcessingException broken -> SpillAnswer.Reason.UNREACHABLE;
            case IOException broken -> SpillAnswer.Reason.UNREACHABLE;
            case VertxException broken -> SpillAnswer.Reason.UNREACHABLE; // closed in mid-body
            default -> reason;
          };
    }
    return reason;
  }

  /** Reads the answer with no trust in it; see T3. */
  private static SpillAnswer answer(String id, RestResponse<byte[]> response) {
    return switch (response.getStatus()) {
      case 200 ->
          response.getHeaders().containsKey(LambdaApi.FUNCTION_ERROR)
              ? new SpillAnswer.NoDigest(SpillAnswer.Reason.FUNCTION_ERROR)
              : digest(id, response.getEntity());
      case 429 -> new SpillAnswer.NoDigest(SpillAnswer.Reason.THROTTLED);
      case 401, 403, 404 -> new SpillAnswer.NoDigest(SpillAnswer.Reason.MISCONFIGURED);
      default ->
          new SpillAnswer.NoDigest(
              response.getStatus() >= 500
                  ? SpillAnswer.Reason.UNAVAILABLE
                  : SpillAnswer.Reason.REJECTED);
    };
  }

  private static SpillAnswer digest(String id, byte[] body) {
    if (body == null) {
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.MALFORMED);
    }
    try {
      return switch (WireFormat.readReply(body).resultFor(id).orElse(null)) {
        case DigestReply.Computed(String ours, var digest) -> new SpillAnswer.Computed(digest);
        case DigestReply.Declined declined -> new SpillAnswer.NoDigest(SpillAnswer.Reason.DECLINED);
        case null -> new SpillAnswer.NoDigest(SpillAnswer.Reason.MALFORMED);
      };
    } catch (WireException e) {
      return new SpillAnswer.NoDigest(SpillAnswer.Reason.MALFORMED);
    }
  }

  private static final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1L;
    private final SpillAnswer.Reason reason;

    NoAnswer(SpillAnswer.Reason reason) {
      super(reason.label(), null, false, false);
      this.reason = reason;
    }
  }
}
