package dev.spillway.locallambda.fault;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import dev.spillway.locallambda.fault.Effect.Manner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;

/** Answers past the HTTP server, which is honest. The connection is of no use afterwards. */
public final class BadLine {
  private static final Duration GLANCE = Duration.ofMillis(20);
  private static final Duration DROP = Duration.ofSeconds(1);

  private final Injection injection;

  public BadLine(Injection injection) {
    this.injection = injection;
  }

  /** Returns once the other side has hung up. */
  public void silence(HttpExchange exchange) throws IOException {
    try (Wire wire = Wire.under(exchange)) {
      while (waited(GLANCE) && !wire.peerGone()) {}
    }
  }

  /**
   * A 200 with that body, in that manner.
   *
   * @throws IOException if the connection is gone
   */
  public void answer(HttpExchange exchange, Manner manner, byte[] body) throws IOException {
    byte[] head = head(exchange, 200, body.length, Instant.now());
    try (Wire wire = Wire.under(exchange)) {
      switch (manner) {
        case SILENT -> throw new IllegalArgumentException("silence is no answer");
        case DRIPPING -> {
          boolean there = wire.send(head);
          for (int at = 0; there && at < body.length && waited(DROP); at++) {
            there = wire.send(new byte[] {body[at]}) && !wire.peerGone();
          }
        }
        case RESET -> {
          wire.send(joined(head, Arrays.copyOf(body, body.length / 2)));
          wire.resetWhenClosed();
        }
        case CLOSED -> wire.send(joined(head, body));
      }
      exchange.close();
    }
  }

  /** Any status with that body, by the clock that is off. */
  public void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Connection", "close");
    try (Wire wire = Wire.under(exchange)) {
      wire.send(joined(head(exchange, status, body.length, injection.clock().instant()), body));
      exchange.close();
    }
  }

  private static byte[] head(HttpExchange exchange, int status, int length, Instant date) {
    var head = new StringBuilder("HTTP/1.1 " + status + " \r\n");
    exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("application/json"));
    exchange
        .getResponseHeaders()
        .forEach(
            (name, values) ->
                head.append(name).append(": ").append(values.getFirst()).append("\r\n"));
    head.append("Date: ")
        .append(DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atOffset(ZoneOffset.UTC)))
        .append("\r\nContent-Length: ")
        .append(length)
        .append("\r\n\r\n");
    return head.toString().getBytes(US_ASCII);
  }

  /** In one write, as a server would send a small answer. */
  private static byte[] joined(byte[] head, byte[] body) {
    var both = new ByteArrayOutputStream();
    both.writeBytes(head);
    both.writeBytes(body);
    return both.toByteArray();
  }

  /** False if there is nothing to wait for any more. */
  private boolean waited(Duration time) {
    try {
      Thread.sleep(time);
      return !injection.closed();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
