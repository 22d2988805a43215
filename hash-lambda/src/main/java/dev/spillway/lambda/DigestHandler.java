package dev.spillway.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.lanes.LaneDigestEngine;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.seal.SealKeys;
import dev.spillway.core.wire.DigestIntake;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;

/**
 * The function: bytes of a digest request in, bytes of a digest reply out. It decides, stores and
 * logs nothing.
 */
@Named("digest")
public final class DigestHandler implements RequestStreamHandler {
  /** As long as AWS's signature of the same call is valid. */
  private static final Duration LONGEST_WINDOW = Duration.ofMinutes(5);

  private final DigestBatch batch;
  private final FunctionConfig config;
  private final Opener opener;

  @Inject
  DigestHandler(DigestEngine engine, FunctionConfig config) {
    checkBounds(config);
    this.batch = new DigestBatch(engine, config.reserve());
    this.config = config;
    this.opener = opener(config.sealing());
  }

  /**
   * Checks the settings: an impossible one ends the start, and so the deployment, with a message
   * that names the key.
   */
  static void checkBounds(FunctionConfig config) {
    if (config.maxCost() < BcryptSetting.MIN_COST || config.maxCost() > BcryptSetting.MAX_COST) {
      throw new IllegalArgumentException("spillway.function.max-cost must be from 4 to 31");
    }
    if (config.reserve().isNegative()) {
      throw new IllegalArgumentException("spillway.function.reserve must not be negative");
    }
    if (config.lanes() < 1 || config.lanes() > LaneDigestEngine.MAX_LANES) {
      throw new IllegalArgumentException(
          "spillway.function.lanes must be from 1 to " + LaneDigestEngine.MAX_LANES);
    }
  }

  /** Checks the sealing settings likewise; no message repeats a key. */
  static Opener opener(FunctionConfig.Sealing config) {
    if (config.window().compareTo(Duration.ofSeconds(1)) < 0
        || config.window().compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException("spillway.function.sealing.window must be from 1s to 5m");
    }
    SealKeys keys;
    try {
      keys = config.keys().map(SealKeys::parse).orElse(SealKeys.none());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("spillway.function.sealing.keys " + e.getMessage());
    }
    if (config.required() && keys.isEmpty()) {
      throw new IllegalArgumentException(
          "spillway.function.sealing.required wants spillway.function.sealing.keys");
    }
    if (!keys.isEmpty()) {
      Opener.warmUp();
    }
    return new Opener(keys, config.required(), config.window(), InstantSource.system());
  }

  /**
   * @throws MalformedRequestException if the event is not a digest request; the caller sees a
   *     function error that repeats nothing of it
   */
  @Override
  public void handleRequest(InputStream event, OutputStream out, Context context)
      throws IOException {
    byte[] bytes = event.readNBytes(WireFormat.MAX_BYTES + 1);
    out.write(answer(bytes, Duration.ofMillis(context.getRemainingTimeInMillis())));
  }

  /** Wipes {@code event}. */
  byte[] answer(byte[] event, Duration left) throws IOException {
    try {
      DigestIntake intake = WireFormat.readRequest(event, config.maxCost(), opener);
      return WireFormat.write(batch.run(intake, left));
    } catch (WireException e) {
      throw new MalformedRequestException(e.getMessage());
    } finally {
      Arrays.fill(event, (byte) 0);
    }
  }
}
