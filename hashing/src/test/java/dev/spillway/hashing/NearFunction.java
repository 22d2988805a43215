package dev.spillway.hashing;

import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.Transport;
import dev.spillway.hashing.spill.wire.TransportFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A transport to a function in this process. */
final class NearFunction implements Transport {
  private static final DigestEngine ENGINE = new SpringDigestEngine();

  volatile boolean closed;

  @Override
  public CompletableFuture<byte[]> call(String target, byte[] request, Duration patience) {
    try {
      var results =
          WireFormat.readRequest(request, 12, Opener.none()).runnable().stream()
              .<DigestReply.Result>map(
                  job ->
                      new DigestReply.Computed(
                          job.id(), ENGINE.digest(job.setting(), job.password())))
              .toList();
      return CompletableFuture.completedFuture(WireFormat.write(new DigestReply(results)));
    } catch (WireException e) {
      return CompletableFuture.failedFuture(new TransportFailure(SpillAnswer.Reason.REJECTED));
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
