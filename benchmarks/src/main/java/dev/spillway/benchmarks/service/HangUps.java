package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Guesses that nobody waits for: each over a connection of its own, closed after 60 ms. */
final class HangUps implements AttackBench.Attack {
  private static final Duration PATIENCE = Duration.ofMillis(60);

  private final int port;
  private final String network;
  private final List<Caller> guesses;
  private final LongAdder made = new LongAdder();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean ended;

  private HangUps(int port, String network, List<Caller> guesses) {
    this.port = port;
    this.network = network;
    this.guesses = guesses;
  }

  static HangUps start(int port, int connections, String network, List<Caller> guesses) {
    HangUps all = new HangUps(port, network, guesses);
    for (int i = 0; i < connections; i++) {
      var _ = all.clients.submit(all::guessUntilEnded);
    }
    return all;
  }

  @Override
  public long end() {
    ended = true;
    clients.close();
    return made.sum();
  }

  private Void guessUntilEnded() throws InterruptedException {
    while (!ended) {
      Caller guess = guesses.get(ThreadLocalRandom.current().nextInt(guesses.size()));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        byte[] body = guess.loginBody();
        String head =
            "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "X-Forwarded-For: %s\r\nContent-Length: %d\r\n\r\n";
        socket
            .getOutputStream()
            .write(head.formatted(network, body.length).getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
        made.increment();
        Thread.sleep(PATIENCE);
      } catch (IOException e) {
        // The service hung up first, or lets nobody in: on with the next.
        Thread.sleep(PATIENCE);
      }
    }
    return null;
  }
}
