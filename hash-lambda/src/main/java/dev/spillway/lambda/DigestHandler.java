package dev.spillway.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/**
 * The function: bytes of a digest request in, bytes of a digest reply out. It decides nothing,
 * keeps nothing and logs nothing of what it is given.
 */
@Named("digest")
public final class DigestHandler implements RequestStreamHandler {
  private final DigestBatch batch;
  private final FunctionConfig config;

  @Inject
  DigestHandler(DigestEngine engine, FunctionConfig config) {
    this.batch = new DigestBatch(engine, config.reserve());
    this.config = config;
  }

  /**
   * @throws MalformedRequestException if the event is no digest request; the caller sees a function
   *     error that repeats nothing of it
   */
  @Override
  public void handleRequest(InputStream event, OutputStream out, Context context)
      throws IOException {
    byte[] bytes = event.readNBytes(WireFormat.MAX_BYTES + 1);
    Duration left = Duration.ofMillis(context.getRemainingTimeInMillis());
    DigestReply reply;
    try {
      reply = batch.run(WireFormat.readRequest(bytes, config.maxCost()), left);
    } catch (WireException e) {
      throw new MalformedRequestException(e.getMessage());
    } finally {
      java.util.Arrays.fill(bytes, (byte) 0);
    }
    out.write(WireFormat.write(reply));
  }
}
