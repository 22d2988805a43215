package dev.spillway.benchmarks.service;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.impl.ContextInternal;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.DoubleUnaryOperator;

/**
 * Logins that arrive at random moments, whether or not others have been answered: an open model, so
 * that a service which stops answering is not spared meanwhile. A latency counts from the moment a
 * login was due. Each user comes from a network of its own, through the proxy this is. All on one
 * event loop: threads would take from the service beside them what is to be measured.
 */
final class Arrivals<C extends Caller> implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 20_000;

  /** How long a client waits for its answer. Then it goes away. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** For what must end by itself. */
  private static final Duration LONG = Duration.ofSeconds(30);

  private static final int SEED = 1;

  private final Vertx vertx = EventLoops.one();
  private final ContextInternal loop = (ContextInternal) vertx.getOrCreateContext();
  private final HttpClient http =
      vertx.createHttpClient(
          new HttpClientOptions().setTcpNoDelay(true).setKeepAlive(true),
          new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS));
  private final ServiceApi api;
  private final int port;

  /** By path; touched on the event loop only. */
  private final Map<String, RequestOptions> logins = new HashMap<>();

  private final List<C> callers;
  private final BiConsumer<C, Attempt> ended;
  private volatile boolean stopped;

  /**
   * @param ended gets each login when it has ended, on the event loop
   */
  Arrivals(Service service, List<C> callers, BiConsumer<C, Attempt> ended) {
    this.api = service.api();
    this.port = service.port();
    this.callers = callers;
    this.ended = ended;
  }

  /** Offers logins for a while, and returns when the last of them has ended. */
  void run(double perSecond, Duration length) throws IOException {
    run(_ -> perSecond, length);
  }

  /**
   * Likewise, at a rate that changes.
   *
   * @param perSecond by the seconds since the start; never 0
   */
  void run(DoubleUnaryOperator perSecond, Duration length) throws IOException {
    stopped = false;
    Run run = new Run(perSecond, length);
    loop.runOnContext(_ -> run.offerDue());
    EventLoops.await(run.allEnded.future(), length.plus(LONG));
  }

  /** The run at work offers no more, and ends when the last of it has. */
  void stop() {
    stopped = true;
  }

  @Override
  public void close() throws IOException {
    EventLoops.await(vertx.close(), LONG);
  }

  private RequestOptions login(C caller) {
    return logins.computeIfAbsent(
        api.loginPath().apply(caller),
        path ->
            new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI(path)
                .setTimeout(PATIENCE.toMillis())
                .putHeader("Content-Type", api.contentType()));
  }

  /** Touched on the event loop only. */
  private final class Run {
    private final Promise<Void> allEnded = Promise.promise();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final DoubleUnaryOperator perSecond;
    private final long startNanos = System.nanoTime();
    private final long endNanos;
    private long dueNanos = startNanos;
    private int outstanding;
    private boolean over;

    Run(DoubleUnaryOperator perSecond, Duration length) {
      this.perSecond = perSecond;
      this.endNanos = dueNanos + length.toNanos();
    }

    /** Exponential gaps make a Poisson process. */
    void offerDue() {
      long now = System.nanoTime();
      while (!stopped && dueNanos - now <= 0 && dueNanos - endNanos < 0) {
        offer(callers.get(random.nextInt(callers.size())), dueNanos);
        double rate = perSecond.applyAsDouble((dueNanos - startNanos) / 1e9);
        dueNanos += Math.round(-Math.log(1 - random.nextDouble()) * 1e9 / rate);
      }
      over = stopped || dueNanos - endNanos >= 0;
      if (over) {
        endIfLast();
      } else {
        // Vert.x's timers know milliseconds only: a login would be up to one late.
        loop.nettyEventLoop()
            .schedule(
                () -> loop.runOnContext(_ -> offerDue()),
                dueNanos - System.nanoTime(),
                TimeUnit.NANOSECONDS);
      }
    }

    private void offer(C caller, long due) {
      outstanding++;
      http.request(login(caller))
          .compose(
              request ->
                  request
                      .putHeader("X-Forwarded-For", caller.address())
                      .send(Buffer.buffer(api.loginBody().apply(caller))))
          .compose(answer -> answer.body().map(_ -> answer))
          .map(HttpClientResponse::statusCode)
          .timeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .otherwise(Attempt.NO_ANSWER)
          .onSuccess(
              status -> {
                outstanding--;
                ended.accept(caller, new Attempt(status, due, System.nanoTime()));
                endIfLast();
              });
    }

    private void endIfLast() {
      if (over && outstanding == 0) {
        allEnded.tryComplete();
      }
    }
  }
}
