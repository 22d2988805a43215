package dev.spillway.auth.hashing.spill.lambda;

import jakarta.ws.rs.core.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
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
   * @param body the beginning of the answer's
   * @param signedAt the {@link #offset} the request was signed with
   */
  boolean corrects(RestResponse<?> response, byte[] body, Duration signedAt) {
    if (response.getStatus() != 403) {
      return false;
    }
    Optional<Instant> server = date(response);
    if (server.isEmpty()) {
      return false;
    }
    Duration right = Duration.between(local.instant(), server.get());
    boolean wrong = right.minus(signedAt).abs().compareTo(TOLERATED) > 0 || namesTime(body);
    if (wrong) {
      if (right.minus(offset).abs().compareTo(Duration.ofMinutes(1)) > 0) {
        LOG.warnf("This clock is off by %s from AWS's; signing by theirs", right);
      }
      offset = right;
    }
    return wrong;
  }

  private static boolean namesTime(byte[] body) {
    String text = new String(body, StandardCharsets.ISO_8859_1);
    return text.contains("Signature expired")
        || text.contains("Signature not yet current")
        || text.contains("RequestTimeTooSkewed")
        || text.contains("RequestExpired");
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
