package dev.spillway.auth.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.http.Overloaded;
import dev.spillway.auth.http.Problem;
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

  private final Buffer body;
  private final CharSequence length;

  Refusal(ObjectMapper json) throws JsonProcessingException {
    this.body = Buffer.buffer(json.writeValueAsBytes(new Overloaded(Duration.ZERO).problem()));
    this.length = HttpHeaders.createOptimized(Integer.toString(body.length()));
  }

  void answer(HttpServerResponse response) {
    response
        .setStatusCode(503)
        .putHeader(HttpHeaders.CONTENT_TYPE, TYPE)
        .putHeader(
            HttpHeaders.RETRY_AFTER,
            SECONDS.get(ThreadLocalRandom.current().nextInt(SPREAD_SECONDS)))
        .putHeader(HttpHeaders.CONTENT_LENGTH, length)
        .end(body);
  }
}
