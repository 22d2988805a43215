package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a service every 10 ms over a new connection, as a load balancer's probe would: its paths in
 * turn, and never waiting for an answer before it asks again. One thread does it all, so that what
 * it measures is the service and not itself.
 */
final class Prober {
  private static final long PERIOD_NANOS = Duration.ofMillis(10).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<Target> targets;
  private final List<Probe> probes = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(16 * 1024);
  private final Thread thread = Thread.ofPlatform().name("prober").daemon().unstarted(this::run);
  private volatile boolean stopping;

  private Prober(List<Target> targets) {
    this.targets = List.copyOf(targets);
  }

  static Prober start(Service service) {
    Prober prober =
        new Prober(
            List.of(
                Target.of(service.managementPort(), service.api().health()),
                Target.of(service.port(), service.api().keys())));
    prober.thread.start();
    return prober;
  }

  /** Sends no more, and waits for what is still to come. */
  List<Probe> stop() throws InterruptedException {
    stopping = true;
    thread.join();
    return List.copyOf(probes);
  }

  private void run() {
    try (Selector selector = Selector.open()) {
      long due = System.nanoTime();
      int asked = 0;
      while (!stopping) {
        for (; System.nanoTime() - due >= 0; due += PERIOD_NANOS) {
          ask(selector, targets.get(asked++ % targets.size()));
        }
        listen(selector, Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      }
      long giveUp = System.nanoTime() + PATIENCE.toNanos();
      while (!selector.keys().isEmpty() && System.nanoTime() < giveUp) {
        listen(selector, Duration.ofMillis(100));
      }
      List.copyOf(selector.keys()).forEach(this::end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void ask(Selector selector, Target target) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    Asked asked = new Asked(target.path, System.nanoTime());
    SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, asked);
    try {
      if (channel.connect(target.address)) {
        send(channel, key, asked);
      }
    } catch (IOException e) {
      end(key);
    }
  }

  private void listen(Selector selector, Duration atMost) throws IOException {
    selector.select(Math.max(1, atMost.toMillis()));
    for (SelectionKey key : selector.selectedKeys()) {
      SocketChannel channel = (SocketChannel) key.channel();
      Asked asked = (Asked) key.attachment();
      try {
        if (key.isConnectable() && channel.finishConnect()) {
          send(channel, key, asked);
        } else if (key.isReadable()) {
          read(channel, key, asked);
        }
      } catch (IOException e) {
        end(key);
      }
    }
    selector.selectedKeys().clear();
  }

  private static void send(SocketChannel channel, SelectionKey key, Asked asked)
      throws IOException {
    String request =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(asked.path);
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    key.interestOps(SelectionKey.OP_READ);
  }

  private void read(SocketChannel channel, SelectionKey key, Asked asked) throws IOException {
    buffer.clear();
    int read = channel.read(buffer);
    if (read < 0) {
      end(key);
    } else if (asked.status == Attempt.NO_ANSWER && read >= "HTTP/1.1 200".length()) {
      byte[] status = new byte[3];
      buffer.get("HTTP/1.1 ".length(), status);
      asked.status = Integer.parseInt(new String(status, StandardCharsets.US_ASCII));
    }
  }

  private void end(SelectionKey key) {
    Asked asked = (Asked) key.attachment();
    probes.add(
        new Probe(asked.path, asked.status, asked.atNanos, System.nanoTime() - asked.atNanos));
    key.cancel();
    try {
      key.channel().close();
    } catch (IOException e) {
      // It is not needed any more.
    }
  }

  private record Target(InetSocketAddress address, String path) {
    static Target of(int port, String path) {
      return new Target(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), path);
    }
  }

  private static final class Asked {
    private final String path;
    private final long atNanos;
    private int status = Attempt.NO_ANSWER;

    Asked(String path, long atNanos) {
      this.path = path;
      this.atNanos = atNanos;
    }
  }

  /**
   * One question and its answer.
   *
   * @param status of HTTP, or {@link Attempt#NO_ANSWER}
   * @param nanos from before the connection was opened until the service closed it
   */
  record Probe(String path, int status, long atNanos, long nanos) {}
}
