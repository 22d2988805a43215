package dev.spillway.auth.hashing.spill.lambda;

import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Where one function is called, over connections of its own. */
public final class LambdaEndpoint implements AutoCloseable {
  /**
   * More than a target may ever have outstanding. It is the balancer that bounds calls; a pool of
   * connections that was smaller would be a second, hidden queue with no timeout of its own.
   */
  private static final int MORE_THAN_CALLS = 10_000;

  /**
   * An idle connection is closed before the server does it: a request written to one that is just
   * being closed is lost. Load balancers commonly close after 60 s.
   */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** Several times the longest reply; what says that it is longer is not read. */
  private static final long LONGEST_ANSWER = 64 * 1024;

  private final LambdaApi api;
  private final URI url;
  private final SigningCredentials credentials;
  private final SigningClock clock;

  /**
   * @param url what events are posted to
   */
  public LambdaEndpoint(
      URI url, String region, Duration connectTimeout, SigningCredentials credentials) {
    this.url = url;
    this.credentials = credentials;
    this.clock = new SigningClock(Clock.systemUTC());
    this.api =
        QuarkusRestClientBuilder.newBuilder()
            .baseUri(url)
            .register(new SigV4Filter(credentials, clock, region))
            .connectTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
            // Every call has its own deadline; a second timeout beside it could only be wrong.
            .readTimeout(0, TimeUnit.MILLISECONDS)
            .property("io.quarkus.rest.client.connection-pool-size", MORE_THAN_CALLS)
            .property("io.quarkus.rest.client.connection-ttl", Math.toIntExact(IDLE.toSeconds()))
            .httpClientRequestCustomizer(LambdaEndpoint::refuseLongAnswer)
            // Statuses are answers here, not exceptions.
            .property("microprofile.rest.client.disable.default.mapper", true)
            .followRedirects(false)
            .build(LambdaApi.class);
  }

  /**
   * Posts an event; answers with the function's reply, or fails with what {@link LambdaReplies}
   * makes of anything else. Cancelling the future breaks the call off, whatever state it is in. A
   * request whose signature bore the wrong time is signed and sent again, once, by the server's
   * clock.
   *
   * @param patience how long to wait for the very first look for credentials, at most
   */
  public CompletableFuture<byte[]> post(byte[] event, Duration patience)
      throws InterruptedException {
    credentials.awaitFirstLook(patience);
    Duration signedAt = clock.offset();
    return api.post(url, event)
        .onItem()
        .transformToUni(
            response ->
                clock.corrects(response, signedAt)
                    ? api.post(url, event)
                    : Uni.createFrom().item(response))
        .onItem()
        .transform(LambdaReplies::body)
        .onFailure()
        .transform(LambdaReplies::failure)
        .subscribeAsCompletionStage();
  }

  /** Closes its connections, and with them whatever calls are still made over them. */
  @Override
  public void close() {
    try {
      ((Closeable) api).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void refuseLongAnswer(HttpClientRequest request) {
    request
        .response()
        .onSuccess(
            response -> {
              if (lengthOf(response) > LONGEST_ANSWER) {
                request.reset();
              }
            });
  }

  private static long lengthOf(HttpClientResponse response) {
    String length = response.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length != null && length.length() < 19 && length.chars().allMatch(Character::isDigit)
        ? Long.parseLong(length)
        : 0;
  }
}
