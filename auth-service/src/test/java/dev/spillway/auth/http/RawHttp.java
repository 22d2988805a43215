package dev.spillway.auth.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Requests that no client library would send. */
final class RawHttp {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private RawHttp() {}

  /** Sends the text as it stands and reads until the server closes the connection. */
  static String untilClosed(int port, String request) throws IOException {
    try (Socket socket = new Socket("localhost", port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
