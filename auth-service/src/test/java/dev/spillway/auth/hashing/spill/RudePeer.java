package dev.spillway.auth.hashing.spill;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A peer that speaks TCP and does what no server would; it sees connections open and close. */
final class RudePeer implements AutoCloseable {
  final AtomicInteger accepted = new AtomicInteger();
  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger requests = new AtomicInteger();

  private final ServerSocket listener;
  private final Manners manners;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  /** What it does with each connection, which is closed in the end. */
  @FunctionalInterface
  interface Manners {
    void meet(RudePeer peer, Socket socket) throws IOException, InterruptedException;
  }

  RudePeer(Manners manners) throws IOException {
    this.manners = manners;
    this.listener = new ServerSocket(0, 1_024, InetAddress.getByName("localhost"));
    Thread.startVirtualThread(this::accept);
  }

  URI uri() {
    return URI.create("http://localhost:" + listener.getLocalPort());
  }

  /** Reads the request and says nothing until the other side hangs up. */
  static void silent(RudePeer peer, Socket socket) throws IOException {
    if (peer.request(socket)) {
      socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    }
  }

  /** Begins to answer, and goes on at one byte a second until the other side hangs up. */
  static void dripping(RudePeer peer, Socket socket) throws IOException, InterruptedException {
    if (peer.request(socket)) {
      head(socket, 1_000);
      Thread eof =
          Thread.startVirtualThread(
              () -> {
                try {
                  while (socket.getInputStream().read() >= 0) {}
                  socket.close();
                } catch (IOException e) {
                  // closed all the same
                }
              });
      do {
        socket.getOutputStream().write(' ');
      } while (!eof.join(java.time.Duration.ofSeconds(1)));
    }
  }

  /**
   * Answers with a body and closes, though it had said that the connection stays. It counts as open
   * until the other side has noticed and closed as well.
   */
  static Manners answeringAndClosing(String body) {
    return (peer, socket) -> {
      if (peer.request(socket)) {
        answer(socket, body);
        socket.shutdownOutput();
        socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
      }
    };
  }

  /** Reads one request; false if there is none. */
  boolean request(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        return false;
      }
      head.append((char) b);
    }
    int length =
        head.toString()
            .lines()
            .filter(line -> line.regionMatches(true, 0, "Content-Length:", 0, 15))
            .mapToInt(line -> Integer.parseInt(line.substring(15).trim()))
            .findFirst()
            .orElse(0);
    in.readNBytes(length);
    requests.incrementAndGet();
    return true;
  }

  static void answer(Socket socket, String body) throws IOException {
    head(socket, body.length());
    socket.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  static void head(Socket socket, int length) throws IOException {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + length;
    socket.getOutputStream().write((head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        accepted.incrementAndGet();
        open.incrementAndGet();
        Thread.startVirtualThread(() -> meet(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void meet(Socket socket) {
    try (socket) {
      manners.meet(this, socket);
    } catch (IOException e) {
      // the other side has gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.decrementAndGet();
    }
  }
}
