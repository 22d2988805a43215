package dev.spillway.auth;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client down at the socket: it hangs up when a test says so, and logs nothing. */
public final class RawClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Socket socket;

  public RawClient(int port) throws IOException {
    socket = new Socket("localhost", port);
    socket.setSoTimeout((int) PATIENCE.toMillis());
  }

  /** Sends one request whole; further headers each end in CRLF. */
  public RawClient send(String method, String path, String headers, String body)
      throws IOException {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return sendRaw(
        "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                .formatted(method, path)
            + "Content-Length: %d\r\n%s\r\n".formatted(length, headers)
            + body);
  }

  public RawClient sendRaw(String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    return this;
  }

  public RawClient login(String login, String password) throws IOException {
    return send(
        "POST", "/login", "", "{\"login\":\"%s\",\"password\":\"%s\"}".formatted(login, password));
  }

  /** Reads one answer with its {@code Content-Length}; the connection stays open. */
  public String answer() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = socket.getInputStream().read();
      if (b < 0) {
        return head.toString();
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
    byte[] body = socket.getInputStream().readNBytes(length);
    return head + new String(body, StandardCharsets.UTF_8);
  }

  /** Whether the peer hangs up now that nothing more is sent. */
  public boolean isHungUpOn() throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true; // a reset
    }
  }

  /** Hangs up without taking leave: the peer sees a reset. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Hangs up. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
