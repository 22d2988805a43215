package dev.spillway.auth.gate;

import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The requests that the service sends to itself before it is ready. The gate lets them take its
 * path and counts them nowhere. Nobody else can send one: every start has a random mark, which is
 * forgotten before the service is ready.
 */
@Singleton
public class OwnRequests {
  /** The header that carries a mark. */
  public static final String HEADER = "Spillway-Warm-Up";

  private static final int MARK_BYTES = 16;

  private volatile Marks marks;

  /** What the header says: that the gate refuses a request, or lets it pass. */
  public record Marks(String refused, String passed) {}

  /** The marks that are good from now on. */
  public Marks begin() {
    Marks made = new Marks(random(), random());
    marks = made;
    return made;
  }

  /** No mark is good from now on. */
  public void end() {
    marks = null;
  }

  boolean areRefused(HttpServerRequest request) {
    Marks known = marks;
    return known != null && known.refused().equals(request.getHeader(HEADER));
  }

  boolean pass(HttpServerRequest request) {
    Marks known = marks;
    return known != null && known.passed().equals(request.getHeader(HEADER));
  }

  private static String random() {
    byte[] bytes = new byte[MARK_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
