package dev.spillway.auth.hashing.spill.lambda;

import io.quarkus.rest.client.reactive.QuarkusRestClientBuilder;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpConnection;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.resteasy.reactive.RestResponse;

/** Where one function is called, over connections of its own. */
public final class LambdaEndpoint implements AutoCloseable {
  /**
   * More than a target may ever have outstanding. It is the balancer that bounds calls; a pool of
   * connections that was smaller would be a second, hidden queue with no timeout of its own.
   */
  private static final int MORE_THAN_CALLS = 10_000;

  /**
   * An idle connection is closed before the server does it. Load balancers commonly close after 60
   * s; where one does it earlier, a call that met the very moment is made again.
   */
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** Several times the longest reply; what is longer is not read to its end. */
  private static final int LONGEST_ANSWER = 64 * 1024;

  private static final int LONGEST_ERROR = 4096;

  private final LambdaApi kept;

  /** Each of its requests has a new connection. */
  private final LambdaApi fresh;

  private final URI url;
  private final SigningCredentials credentials;
  private final SigningClock clock;
  private final ErrorAnswers errors;

  /** Connections that have carried a request. */
  private final Set<HttpConnection> used =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private final AtomicLong lastCall = new AtomicLong();

  /** By call; only while a request of it is under way. */
  private final Map<String, AtomicReference<Sent>> underWay = new ConcurrentHashMap<>();

  /** How far a request has come. */
  private enum Sent {
    /** It waits for its connection. */
    NOT_YET,
    SENT,
    /** Its caller has left before it was sent: it is reset as soon as it is. */
    BROKEN_OFF,
    /** It was sent over a kept connection, which broke before an answer began. */
    LOST,
    ANSWERED
  }

  /**
   * @param target its name, for the log
   * @param url what events are posted to
   */
  public LambdaEndpoint(
      String target,
      URI url,
      String region,
      Duration connectTimeout,
      SigningCredentials credentials) {
    this.url = url;
    this.credentials = credentials;
    this.clock = new SigningClock(Clock.systemUTC());
    this.errors = new ErrorAnswers(target);
    this.kept = api(true, region, connectTimeout);
    this.fresh = api(false, region, connectTimeout);
  }

  private LambdaApi api(boolean keepAlive, String region, Duration connectTimeout) {
    return QuarkusRestClientBuilder.newBuilder()
        .baseUri(url)
        .register(new SigV4Filter(credentials, clock, region))
        .connectTimeout(connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
        // Every call has its own deadline; a second timeout beside it could only be wrong.
        .readTimeout(0, TimeUnit.MILLISECONDS)
        .property("io.quarkus.rest.client.connection-pool-size", MORE_THAN_CALLS)
        .property("io.quarkus.rest.client.connection-ttl", Math.toIntExact(IDLE.toSeconds()))
        .property("io.quarkus.rest.client.keep-alive-enabled", keepAlive)
        .httpClientRequestCustomizer(this::follow)
        // Statuses are answers here, not exceptions.
        .property("microprofile.rest.client.disable.default.mapper", true)
        .followRedirects(false)
        .build(LambdaApi.class);
  }

  /**
   * Posts an event; answers with the function's reply, or fails with what {@link LambdaReplies}
   * makes of anything else. Cancelling the future breaks the call off, whatever state it is in. A
   * request whose signature bore the wrong time is signed and sent again, once, by the server's
   * clock; one that was lost with the connection it was given, once over a new one.
   *
   * @param patience how long to wait for the very first look for credentials, at most
   */
  public CompletableFuture<byte[]> post(byte[] event, Duration patience)
      throws InterruptedException {
    credentials.awaitFirstLook(patience);
    Duration signedAt = clock.offset();
    return sent(event)
        .onItem()
        .transformToUni(
            response -> {
              if (response.getStatus() == 200) {
                return Uni.createFrom().item(response);
              }
              byte[] error = error(response);
              if (clock.corrects(response, error, signedAt)) {
                return sent(event).onItem().invoke(this::hear);
              }
              errors.hear(response, error);
              return Uni.createFrom().item(response);
            })
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
      ((Closeable) kept).close();
      ((Closeable) fresh).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A peer may close a connection while a request is on its way over it. If no answer began, the
   * request tells nothing about the peer, and a function only computes: it is sent again.
   */
  private Uni<RestResponse<byte[]>> sent(byte[] event) {
    String call = Long.toString(lastCall.incrementAndGet(), Character.MAX_RADIX);
    AtomicReference<Sent> sent = new AtomicReference<>();
    return sent(kept, call, sent, event)
        .onFailure(failure -> wasLost(sent.get(), failure))
        .recoverWithUni(() -> sent(fresh, call, sent, event));
  }

  /**
   * One request. The client drops what it made for a request that is cancelled before it has a
   * connection, and never gives the connection back (Quarkus 3.33): until then a cancellation waits
   * in {@code sent}, where {@link #follow} finds it.
   */
  private Uni<RestResponse<byte[]>> sent(
      LambdaApi over, String call, AtomicReference<Sent> sent, byte[] event) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              sent.set(Sent.NOT_YET);
              underWay.put(call, sent);
              CompletableFuture<RestResponse<byte[]>> made =
                  over.post(url, call, event).subscribeAsCompletionStage();
              emitter.onTermination(
                  () -> {
                    if (!made.isDone() && !sent.compareAndSet(Sent.NOT_YET, Sent.BROKEN_OFF)) {
                      made.cancel(true);
                      underWay.remove(call, sent);
                    }
                  });
              made.whenComplete(
                  (response, failure) -> {
                    underWay.remove(call, sent);
                    if (failure == null) {
                      emitter.complete(response);
                    } else {
                      emitter.fail(failure);
                    }
                  });
            });
  }

  private static boolean wasLost(Sent sent, Throwable failure) {
    return switch (sent) {
      case LOST -> true;
      // Closed before it was written. Afterwards the failure would be an IOException.
      case NOT_YET, SENT -> failure instanceof HttpClosedException;
      case BROKEN_OFF, ANSWERED -> false;
    };
  }

  private void follow(HttpClientRequest request) {
    boolean again = !used.add(request.connection());
    request
        .response()
        .onSuccess(response -> came(request, Sent.ANSWERED))
        .onFailure(
            failure -> {
              if (again
                  && (failure instanceof HttpClosedException || failure instanceof IOException)) {
                came(request, Sent.LOST);
              }
            });
    bound(request);
    // Now it has no headers yet, and is sent before anything else runs here.
    Vertx.currentContext().runOnContext(then -> wasSent(request));
  }

  private void wasSent(HttpClientRequest request) {
    AtomicReference<Sent> sent = underWay.get(request.headers().get(LambdaApi.CALL));
    if (sent != null
        && !sent.compareAndSet(Sent.NOT_YET, Sent.SENT)
        && sent.get() == Sent.BROKEN_OFF) {
      request.reset();
    }
  }

  private void came(HttpClientRequest request, Sent how) {
    AtomicReference<Sent> sent = underWay.get(request.headers().get(LambdaApi.CALL));
    if (sent != null) {
      sent.set(how);
    }
  }

  /** Counts what is read: an answer in chunks does not say how long it is. */
  private static void bound(HttpClientRequest request) {
    AtomicInteger read = new AtomicInteger();
    request
        .response()
        .onSuccess(
            response ->
                response.handler(
                    chunk -> {
                      if (read.addAndGet(chunk.length()) > LONGEST_ANSWER) {
                        request.reset();
                      }
                    }));
  }

  private void hear(RestResponse<?> response) {
    if (response.getStatus() != 200) {
      errors.hear(response, error(response));
    }
  }

  /** Quarkus leaves the body of what it takes for an error unread, whatever type was asked for. */
  private static byte[] error(RestResponse<?> response) {
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
}
