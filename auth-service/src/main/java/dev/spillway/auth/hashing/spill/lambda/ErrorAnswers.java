package dev.spillway.auth.hashing.spill.lambda;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * What AWS says when it does not run a target's function: a line in the log, once a minute at most.
 *
 * <p>A message may repeat the request, and the request holds passwords: Lambda quotes a payload
 * that it cannot parse, and a refused signature is explained with the payload's SHA-256, by which
 * passwords could be tried. So a message ends before the first quote, bracket or line break, and
 * what is as long as a hash is left out.
 */
final class ErrorAnswers {
  private static final Logger LOG = Logger.getLogger(ErrorAnswers.class);
  private static final long BETWEEN_LINES_NANOS = Duration.ofMinutes(1).toNanos();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,80}");
  private static final Pattern START = Pattern.compile("[ -~&&[^\"{\\[<]]{0,300}");
  private static final Pattern LIKE_A_HASH = Pattern.compile("[0-9a-fA-F]{32,}");
  private static final String NONE = "none";

  private final String target;
  private final AtomicLong nextLineNanos = new AtomicLong(System.nanoTime());

  ErrorAnswers(String target) {
    this.target = target;
  }

  /**
   * @param body the beginning of the answer's
   */
  void hear(RestResponse<?> response, byte[] body) {
    int status = response.getStatus();
    // A throttle is counted, and no fault.
    if (status == 429 || !isTimeForALine()) {
      return;
    }
    JsonNode json = json(body);
    LOG.logf(
        status == 401 || status == 403 || status == 404 ? Logger.Level.ERROR : Logger.Level.WARN,
        "Spill target %s answers %d, type %s, message: %s, request id %s",
        target,
        status,
        type(response, json),
        message(json),
        name(response.getHeaderString("x-amzn-RequestId")));
  }

  private boolean isTimeForALine() {
    long next = nextLineNanos.get();
    long now = System.nanoTime();
    return now - next >= 0 && nextLineNanos.compareAndSet(next, now + BETWEEN_LINES_NANOS);
  }

  private static JsonNode json(byte[] body) {
    try {
      JsonNode read = JSON.readTree(body);
      return read == null ? JSON.missingNode() : read;
    } catch (IOException e) {
      return JSON.missingNode();
    }
  }

  /** A header of Lambda's; a gateway before it says the same in the body. */
  private static String type(RestResponse<?> response, JsonNode json) {
    String header = response.getHeaderString("x-amzn-ErrorType");
    return name(
        header != null ? header.split(":", 2)[0] : text(json, "__type", "Type", "errorType"));
  }

  private static String message(JsonNode json) {
    Matcher start = START.matcher(text(json, "Message", "message", "errorMessage"));
    String clean = start.lookingAt() ? start.group().strip() : "";
    return clean.isEmpty() ? NONE : LIKE_A_HASH.matcher(clean).replaceAll("...");
  }

  private static String text(JsonNode json, String... names) {
    for (String name : names) {
      if (json.path(name).isTextual()) {
        return json.path(name).textValue();
      }
    }
    return "";
  }

  private static String name(String value) {
    return value != null && NAME.matcher(value).matches() ? value : NONE;
  }
}
