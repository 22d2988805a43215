package dev.spillway.benchmarks.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.wire.DigestIntake;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A function far away, as the Invoke API shows it: it takes a fixed time and no CPU of this
 * machine's, because it knows the digest of every user's one password. It remembers how often it
 * answered for which user, which is how a client can tell that its login was spilled.
 */
final class SlowFunction implements AutoCloseable {
  private static final int MAX_COST = 15;
  private static final int BACKLOG = 1024;

  private final Duration takes;
  private final Map<String, BcryptDigest> digests;
  private final Map<String, AtomicInteger> answered = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  /**
   * @param digests by setting in written form
   */
  SlowFunction(Duration takes, Map<String, BcryptDigest> digests) throws IOException {
    this.takes = takes;
    this.digests = Map.copyOf(digests);
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    server.createContext("/2015-03-31/functions/", this::invoke);
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** How often it has answered for the user of this setting. */
  int answered(String setting) {
    AtomicInteger count = answered.get(setting);
    return count == null ? 0 : count.get();
  }

  private void invoke(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] event = exchange.getRequestBody().readAllBytes();
      Thread.sleep(takes);
      DigestIntake intake = WireFormat.readRequest(event, MAX_COST);
      List<DigestReply.Result> results = intake.runnable().stream().map(this::result).toList();
      byte[] reply = WireFormat.write(new DigestReply(results));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, reply.length);
      exchange.getResponseBody().write(reply);
    } catch (WireException e) {
      exchange.sendResponseHeaders(400, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private DigestReply.Result result(DigestRequest.Job job) {
    String setting = job.setting().toString();
    BcryptDigest digest = digests.get(setting);
    if (digest == null) {
      return new DigestReply.Declined(job.id(), DigestReply.Reason.BAD_SETTING);
    }
    answered.computeIfAbsent(setting, _ -> new AtomicInteger()).incrementAndGet();
    return new DigestReply.Computed(job.id(), digest);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
