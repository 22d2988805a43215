package dev.spillway.auth.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Starts a real PostgreSQL. */
public final class PostgresServer {
  private PostgresServer() {}

  /**
   * On a port that nobody is given in the seconds in which its files are made: somebody is bound to
   * it, without listening, which keeps it from all but who asks for it by number.
   */
  public static EmbeddedPostgres start() throws IOException {
    return start(builder -> builder);
  }

  static EmbeddedPostgres start(UnaryOperator<EmbeddedPostgres.Builder> with) throws IOException {
    try (SocketChannel kept =
        SocketChannel.open()
            .setOption(StandardSocketOptions.SO_REUSEADDR, true)
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      return with.apply(EmbeddedPostgres.builder())
          .setPort(((InetSocketAddress) kept.getLocalAddress()).getPort())
          .setPGStartupWait(Duration.ofMinutes(1))
          .start();
    }
  }
}
