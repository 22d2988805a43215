package dev.spillway.auth.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.http.Overloaded;
import dev.spillway.auth.http.Problem;
import dev.spillway.hashing.cpu.CpuShare;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** The answer to logins that the gate refuses, made beforehand. */
@Singleton
class Refusal {
  /** Clients are told to come back within so many seconds, and not all in the same one. */
  private static final int SPREAD_SECONDS = 5;

  private static final CharSequence TYPE = HttpHeaders.createOptimized(Problem.MEDIA_TYPE);

  private static final List<CharSequence> SECONDS =
      IntStream.rangeClosed(1, SPREAD_SECONDS)
          .mapToObj(seconds -> HttpHeaders.createOptimized(Integer.toString(seconds)))
          .toList();

  private final ObjectMapper json;
  private volatile Body body;

  private record Body(Buffer bytes, CharSequence length) {}

  Refusal(ObjectMapper json) {
    this.json = json;
    this.body = body(new Overloaded(Duration.ZERO));
  }

  /** From now on the answer says why the pool is short of CPU, or nothing if it is not. */
  void say(CpuShare cpu) {
    body =
        body(
            cpu.isShort()
                ? new Overloaded(Duration.ZERO, cpu.reason())
                : new Overloaded(Duration.ZERO));
  }

  private Body body(Overloaded overloaded) {
    try {
      Buffer bytes = Buffer.buffer(json.writeValueAsBytes(overloaded.problem()));
      return new Body(bytes, HttpHeaders.createOptimized(Integer.toString(bytes.length())));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of strings is always JSON", e);
    }
  }

  /** What it says now. */
  String text() {
    return body.bytes().toString();
  }

  void answer(HttpServerResponse response) {
    Body now = body;
    response
        .setStatusCode(503)
        .putHeader(HttpHeaders.CONTENT_TYPE, TYPE)
        .putHeader(
            HttpHeaders.RETRY_AFTER,
            SECONDS.get(ThreadLocalRandom.current().nextInt(SPREAD_SECONDS)))
        .putHeader(HttpHeaders.CONTENT_LENGTH, now.length())
        .end(now.bytes());
  }
}
