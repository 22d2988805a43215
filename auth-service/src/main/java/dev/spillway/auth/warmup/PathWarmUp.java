package dev.spillway.auth.warmup;

import dev.spillway.auth.gate.OwnRequests;
import dev.spillway.auth.tokens.TokenIssuer;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.PoolOptions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.ObservesAsync;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Lets the JVM compile what is round a hash: requests to the service itself that the gate refuses
 * or that are read and found wanting, look-ups of nobody, tokens for nobody. It leaves no trace in
 * users, throttles, audit log, money or metrics.
 */
@ApplicationScoped
class PathWarmUp {
  private static final Logger LOG = Logger.getLogger(PathWarmUp.class);

  /** Each request has a new connection, as the logins of a spike have. */
  private static final int AT_ONCE = 32;

  private static final int ROUNDS = 30;

  /** Of so many requests one is read; the others are refused at the gate. */
  private static final int READ_EVERY = 4;

  private static final int CALLS = 300;
  private static final int SECONDS = 10;
  private static final LoginName NOBODY = LoginName.parse("warm-up").orElseThrow();

  /** A login without a password: a 400 that nothing counts. */
  private static final Buffer BODY = Buffer.buffer("{\"login\":\"warm-up\"}");

  private final CompletableFuture<HttpServerOptions> server = new CompletableFuture<>();
  private final Vertx vertx;
  private final OwnRequests own;
  private final MeterRegistry meters;
  private final UserDirectory users;
  private final TokenIssuer tokens;

  PathWarmUp(
      Vertx vertx, OwnRequests own, MeterRegistry meters, UserDirectory users, TokenIssuer tokens) {
    this.vertx = vertx;
    this.own = own;
    this.meters = meters;
    this.users = users;
    this.tokens = tokens;
  }

  void listening(@ObservesAsync HttpServerStart started) {
    server.complete(started.options());
  }

  void listening(@ObservesAsync HttpsServerStart started) {
    server.complete(started.options());
  }

  /**
   * Takes some two seconds in a cold JVM. What it cannot reach stays cold; that is logged and does
   * not keep the service from its work.
   */
  void run() throws InterruptedException {
    try {
      for (int i = 0; i < CALLS; i++) {
        users.find(NOBODY);
        tokens.issue(NOBODY.text(), Set.of(), 0);
      }
      HttpServerOptions listening = server.get(SECONDS, TimeUnit.SECONDS);
      ask(host(listening), listening.getPort(), listening.isSsl());
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      LOG.infof("The path of a login is not warmed up: %s", e);
    }
  }

  /**
   * The statuses of the answers.
   *
   * @param ssl with a certificate that nobody looks at: nothing secret is sent
   */
  Set<Integer> ask(String host, int port, boolean ssl)
      throws InterruptedException, ExecutionException, TimeoutException {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setDefaultHost(host)
                .setDefaultPort(port)
                .setSsl(ssl)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setKeepAlive(false),
            new PoolOptions().setHttp1MaxSize(AT_ONCE));
    Set<Integer> statuses = new HashSet<>();
    OwnRequests.Marks marks = own.begin();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
          answers.add(login(client, i % READ_EVERY == 0 ? marks.passed() : marks.refused()));
        }
        Future.all(answers)
            .toCompletionStage()
            .toCompletableFuture()
            .get(SECONDS, TimeUnit.SECONDS);
        answers.forEach(answer -> statuses.add(answer.result()));
      }
      return statuses;
    } finally {
      own.end();
      client.close();
      // Quarkus counts every request that it answers.
      meters.find("http.server.requests").tag("uri", "/login").meters().forEach(meters::remove);
    }
  }

  private static Future<Integer> login(HttpClient client, String mark) {
    return client
        .request(HttpMethod.POST, "/login")
        .compose(
            request ->
                request
                    .putHeader("Content-Type", "application/json")
                    .putHeader(OwnRequests.HEADER, mark)
                    .send(BODY))
        .compose(response -> response.body().map(body -> response.statusCode()));
  }

  /** Who listens everywhere listens on loopback. */
  private static String host(HttpServerOptions listening) {
    return switch (listening.getHost()) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::", "[::]" -> "::1";
      case String one -> one;
    };
  }
}
