package dev.spillway.benchmarks.overload;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The load against a server on loopback that sees what comes. */
@Timeout(120)
class LoadLoopTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger arrived = new AtomicInteger();
  private final Set<String> networks = ConcurrentHashMap.newKeySet();
  private final Set<String> bodies = ConcurrentHashMap.newKeySet();
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** What coordinated omission would not do: a server that answers nobody is asked all the same. */
  @Test
  void logins_comeWhetherOrNotAnyIsAnswered() throws Exception {
    CountDownLatch all = new CountDownLatch(100);
    answer(
        exchange -> {
          all.countDown();
          await(all);
          return 200;
        });
    Outcome outcome = run(Traffic.users(new Pace.AtOnce(100)));
    assertThat(outcome.users().count(200)).isEqualTo(100);
    assertThat(outcome.connections()).isEqualTo(100);
    assertThat(outcome.unsent()).isZero();
  }

  @Test
  void openTraffic_isOfferedAsScheduled() throws Exception {
    answer(_ -> 503);
    Traffic traffic = Traffic.users(new Pace.Open(200));
    Schedule schedule = new Schedule(List.of(traffic), SECOND, 1);
    int due = 0;
    for (; schedule.nextNanos() != Schedule.NEVER; schedule.take()) {
      due++;
    }
    Outcome outcome = run(SECOND, traffic);
    assertThat(outcome.users().due()).isEqualTo(due);
    assertThat(outcome.users().count(503)).isEqualTo(due);
    assertThat(arrived).hasValue(due);
  }

  @Test
  void everyLogin_isFromANetworkOfItsOwn() throws Exception {
    answer(_ -> 200);
    run(Traffic.users(new Pace.AtOnce(300)));
    assertThat(networks)
        .hasSize(300)
        .allMatch(one -> one.matches("10\\.1\\d\\d\\.\\d{3}\\.\\d{3}"));
    assertThat(bodies)
        .containsExactlyInAnyOrder(
            "{\"login\":\"load-0\",\"password\":\"pass\"}",
            "{\"login\":\"load-1\",\"password\":\"pass\"}");
  }

  @Test
  void wrongPasswordsOfOneNetwork_areThat() throws Exception {
    answer(_ -> 401);
    Outcome outcome = run(new Traffic("flood", new Pace.AtOnce(50), 1, false, 0));
    assertThat(networks).hasSize(1);
    assertThat(bodies).isNotEmpty().allMatch(body -> body.contains("\"not-pass\""));
    assertThat(outcome.users().count(401)).isEqualTo(50);
  }

  @Test
  void clientsThatHangUp_areToldFromThoseThatGotNoAnswer() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    answer(
        _ -> {
          await(never);
          return 200;
        });
    Outcome outcome = run(new Traffic("impatient", new Pace.AtOnce(20), 0, true, 1_000_000));
    assertThat(outcome.users().count(Tally.HUNG_UP)).isEqualTo(20);
    assertThat(outcome.users().count(Tally.NO_ANSWER)).isZero();
    never.countDown();
  }

  @Test
  void connectionsThatTheServerCloses_areNoAnswer() throws Exception {
    answer(
        _ -> {
          throw new IOException("hangs up");
        });
    assertThat(run(Traffic.users(new Pace.AtOnce(10))).users().count(Tally.NO_ANSWER))
        .isEqualTo(10);
  }

  @Test
  void clientsThatWait_haveOneLoginEachUnderWay() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    answer(
        _ -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          Thread.yield();
          now.decrementAndGet();
          return 200;
        });
    // The time is over when ten have come.
    Outcome outcome =
        run(SECOND, Traffic.users(new Pace.Closed(3)), () -> arrived.get() < 10 ? 0 : 2 * SECOND);
    assertThat(most.get()).isBetween(1, 3);
    assertThat(outcome.users().count(200)).isGreaterThanOrEqualTo(10);
  }

  private Outcome run(Traffic traffic) throws IOException {
    return run(MINUTE, traffic);
  }

  private Outcome run(long windowNanos, Traffic traffic) throws IOException {
    return run(windowNanos, traffic, System::nanoTime);
  }

  private Outcome run(long windowNanos, Traffic traffic, LongSupplier clock) throws IOException {
    Plan plan =
        new Plan(
            server.getAddress().getPort(),
            0,
            windowNanos,
            List.of(traffic),
            List.of("load-0", "load-1"),
            "pass");
    Requests requests = new Requests(plan.logins(), plan.password(), plan.port(), 1, 0);
    return new LoadLoop(plan, requests, 1, clock).run();
  }

  private void answer(Answer answer) {
    server.createContext(
        "/login",
        exchange -> {
          arrived.incrementAndGet();
          networks.add(exchange.getRequestHeaders().getFirst("X-Forwarded-For"));
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          int status;
          try {
            status = answer.to(exchange);
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    latch.await();
  }

  @FunctionalInterface
  private interface Answer {
    int to(HttpExchange exchange) throws IOException, InterruptedException;
  }
}
