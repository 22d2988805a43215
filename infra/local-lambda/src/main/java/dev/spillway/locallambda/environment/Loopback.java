package dev.spillway.locallambda.environment;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** HTTP servers on 127.0.0.1, every exchange on a virtual thread of its own. */
public final class Loopback {
  static {
    // Read once, when the JDK's server class is initialised. Headers and body leave in two writes:
    // with Nagle's algorithm the second waits for a delayed ACK, 40 ms and more a call.
    setUnlessSet("sun.net.httpserver.nodelay", "true");
    // Seconds. The default of 30 closes a client's pooled connection under its hands.
    setUnlessSet("sun.net.httpserver.idleInterval", "300");
    setUnlessSet("sun.net.httpserver.maxIdleConnections", "1000");
  }

  private static final int BACKLOG = 1024;

  private Loopback() {}

  /** A server bound to {@code port}, 0 for any free one; not started. */
  public static HttpServer bind(int port) throws IOException {
    var address = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    HttpServer server = HttpServer.create(address, BACKLOG);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    return server;
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
