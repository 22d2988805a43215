package dev.spillway.benchmarks.service;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToLongFunction;

/**
 * A function far away, as the Invoke API shows it: it takes a fixed time and next to no CPU of this
 * machine's, because it knows the digest of every user's one password. It keeps Lambda's rules of
 * scaling, or none. It remembers how often it answered for which user, which is how a client can
 * tell that its login was spilled.
 */
final class RemoteFunction implements AutoCloseable {
  private static final byte[] PASSWORD = LoadUser.PASSWORD.getBytes(StandardCharsets.UTF_8);

  /** Of any other password: which digest it is does not matter. */
  private static final BcryptDigest NOBODYS = BcryptDigest.of(".".repeat(BcryptDigest.LENGTH));

  private static final int MAX_COST = 15;
  private static final int BACKLOG = 4096;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** By jobs of the call. */
  private final IntToLongFunction takesMillis;

  private final Map<String, BcryptDigest> digests;
  private final Map<String, Answers> answered = new ConcurrentHashMap<>();
  private final LongAdder calls = new LongAdder();
  private final LongAdder guesses = new LongAdder();
  private final LongAdder billedMillis = new LongAdder();

  /** By jobs of the call. */
  private final Map<Integer, LongAdder> callsOf = new ConcurrentHashMap<>();

  /** Touched on the event loop only, once there are requests. */
  private Lambda lambda;

  private final Vertx vertx;
  private final HttpServer server;

  /**
   * @param takes from the arrival of a request to its answer, in whole milliseconds
   * @param digests by setting in written form
   */
  RemoteFunction(Duration takes, Map<String, BcryptDigest> digests) throws IOException {
    this(takes, digests, null);
  }

  /**
   * @param takesMillis from the arrival of a request to its answer, by the jobs it carries
   * @param digests by setting in written form
   */
  RemoteFunction(IntToLongFunction takesMillis, Map<String, BcryptDigest> digests)
      throws IOException {
    this(takesMillis, digests, null);
  }

  /**
   * @param lambda its scaling; null if there is an environment for every call
   */
  RemoteFunction(Duration takes, Map<String, BcryptDigest> digests, Lambda lambda)
      throws IOException {
    this(_ -> takes.toMillis(), digests, lambda);
  }

  private RemoteFunction(
      IntToLongFunction takesMillis, Map<String, BcryptDigest> digests, Lambda lambda)
      throws IOException {
    this.lambda = lambda;
    this.takesMillis = takesMillis;
    this.digests = Map.copyOf(digests);
    this.vertx = EventLoops.one();
    this.server =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHost("127.0.0.1")
                    .setPort(0)
                    .setTcpNoDelay(true)
                    .setAcceptBacklog(BACKLOG))
            .requestHandler(this::invoke);
    EventLoops.await(server.listen(), PATIENCE);
  }

  /** From now on its scaling is another's; only while no call is under way. */
  void scaleBy(Lambda other) throws IOException {
    Promise<Void> done = Promise.promise();
    vertx.runOnContext(
        _ -> {
          lambda = other;
          done.complete();
        });
    EventLoops.await(done.future(), PATIENCE);
  }

  int port() {
    return server.actualPort();
  }

  /** What it has done for the user of this setting. */
  Answers answers(String setting) {
    return answered.getOrDefault(setting, Answers.NONE);
  }

  /** What all calls so far took, as Lambda would bill them: in whole milliseconds. */
  long billedMillis() {
    return billedMillis.sum();
  }

  /** Answered calls so far. */
  long calls() {
    return calls.sum();
  }

  /** Answered calls so far, by the jobs each carried. */
  Map<Integer, Long> callsByJobs() {
    Map<Integer, Long> calls = new TreeMap<>();
    callsOf.forEach((jobs, count) -> calls.put(jobs, count.sum()));
    return calls;
  }

  /** Answered jobs so far that had another password than the users', or were nobody's. */
  long guesses() {
    return guesses.sum();
  }

  private void invoke(HttpServerRequest request) {
    long arrived = System.nanoTime();
    request.bodyHandler(event -> admit(request, event, arrived));
  }

  /** All of it on the one event loop. */
  private void admit(HttpServerRequest request, Buffer event, long arrived) {
    if (lambda == null) {
      serve(request, event, arrived, Duration.ZERO);
      return;
    }
    switch (lambda.admit(arrived)) {
      case Lambda.Admission.Runs(Duration after) -> serve(request, event, arrived, after);
      case Lambda.Admission.Throttled(String reason) ->
          request
              .response()
              .setStatusCode(429)
              .putHeader("Content-Type", "application/json")
              .end(
                  "{\"Reason\":\"%s\",\"Type\":\"User\",\"message\":\"Rate Exceeded.\"}"
                      .formatted(reason));
    }
  }

  private void serve(HttpServerRequest request, Buffer event, long arrived, Duration after) {
    List<DigestRequest.Job> jobs;
    try {
      jobs = WireFormat.readRequest(event.getBytes(), MAX_COST).runnable();
    } catch (WireException e) {
      release();
      request.response().setStatusCode(400).end();
      return;
    }
    long millis = takesMillis.applyAsLong(jobs.size()) + after.toMillis();
    vertx.setTimer(
        millis,
        _ -> {
          release();
          calls.increment();
          callsOf.computeIfAbsent(jobs.size(), _ -> new LongAdder()).increment();
          billedMillis.add(millis);
          answer(request, jobs, arrived);
        });
  }

  private void release() {
    if (lambda != null) {
      lambda.done(System.nanoTime());
    }
  }

  private void answer(HttpServerRequest request, List<DigestRequest.Job> jobs, long arrived) {
    List<DigestReply.Result> results = jobs.stream().map(job -> result(job, arrived)).toList();
    request
        .response()
        .putHeader("Content-Type", "application/json")
        .end(Buffer.buffer(WireFormat.write(new DigestReply(results))));
  }

  private DigestReply.Result result(DigestRequest.Job job, long arrivedNanos) {
    String setting = job.setting().toString();
    BcryptDigest digest = digests.get(setting);
    if (digest == null || !Arrays.equals(job.password(), PASSWORD)) {
      guesses.increment();
      return new DigestReply.Computed(job.id(), NOBODYS);
    }
    long held = System.nanoTime() - arrivedNanos;
    answered.compute(
        setting, (_, before) -> new Answers(before == null ? 1 : before.count + 1, held));
    return new DigestReply.Computed(job.id(), digest);
  }

  @Override
  public void close() throws IOException {
    EventLoops.await(vertx.close(), PATIENCE);
  }

  /**
   * @param count answers so far
   * @param heldNanos how long the last was on its way in here
   */
  record Answers(int count, long heldNanos) {
    private static final Answers NONE = new Answers(0, 0);
  }
}
