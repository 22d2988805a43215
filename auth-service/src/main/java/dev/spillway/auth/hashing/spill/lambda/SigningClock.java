package dev.spillway.auth.hashing.spill.lambda;

import jakarta.ws.rs.core.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * The time one target's signatures bear. AWS refuses those that are off by more than five minutes;
 * this machine's clock may be, after a suspended virtual machine or without NTP.
 */
final class SigningClock {
  private static final Logger LOG = Logger.getLogger(SigningClock.class);
  private static final Duration TOLERATED = Duration.ofMinutes(5);
  private static final int LONGEST_ERROR = 4096;

  private final Clock local;
  private volatile Duration offset = Duration.ZERO;

  SigningClock(Clock local) {
    this.local = local;
  }

  Clock asClock() {
    return Clock.offset(local, offset);
  }

  Duration offset() {
    return offset;
  }

  /**
   * Whether an answer says that the signature's time was wrong. If so the clock is right from now
   * on, by the server's own.
   *
   * @param signedAt the {@link #offset} the request was signed with
   */
  boolean corrects(RestResponse<byte[]> response, Duration signedAt) {
    if (response.getStatus() != 403) {
      return false;
    }
    Optional<Instant> server = date(response);
    if (server.isEmpty()) {
      return false;
    }
    Duration right = Duration.between(local.instant(), server.get());
    boolean wrong = right.minus(signedAt).abs().compareTo(TOLERATED) > 0 || namesTime(response);
    if (wrong) {
      if (right.minus(offset).abs().compareTo(Duration.ofMinutes(1)) > 0) {
        LOG.warnf("This clock is off by %s from AWS's; signing by theirs", right);
      }
      offset = right;
    }
    return wrong;
  }

  private static boolean namesTime(RestResponse<?> response) {
    String text = new String(start(response), StandardCharsets.ISO_8859_1);
    return text.contains("Signature expired")
        || text.contains("Signature not yet current")
        || text.contains("RequestTimeTooSkewed")
        || text.contains("RequestExpired");
  }

  /** Quarkus leaves the body of what it takes for an error unread, whatever type was asked for. */
  private static byte[] start(RestResponse<?> response) {
    return switch ((Object) response.getEntity()) {
      case byte[] body -> Arrays.copyOf(body, Math.min(body.length, LONGEST_ERROR));
      case InputStream body -> start(body);
      case null, default -> new byte[0];
    };
  }

  private static byte[] start(InputStream body) {
    try (body) {
      return body.readNBytes(LONGEST_ERROR);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  private static Optional<Instant> date(RestResponse<?> response) {
    String date = response.getHeaderString(HttpHeaders.DATE);
    if (date == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
