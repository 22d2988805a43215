package dev.spillway.auth.http;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import java.time.Duration;

/**
 * Limit of {@link #MAX_TIME} for the head of a request, from its first byte, on every accepted
 * connection. Without it a client that sends a byte now and then holds its connection for hours:
 * each byte restarts the idle timeout, and neither Quarkus nor Vert.x has another limit.
 *
 * <p>Netty finds this class by the service loader and calls it, if {@link #install} came before the
 * first connection of the process.
 */
public final class HeadLimit extends ChannelInitializerExtension {
  /** As long as a {@linkplain BodyLimit#MAX_TIME body} gets, for the same reason. */
  static final Duration MAX_TIME = Duration.ofSeconds(5);

  /** To be called before Netty opens anything. */
  public static void install() {
    System.setProperty(EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
  }

  @Override
  public void postInitializeServerChildChannel(Channel connection) {
    connection.pipeline().addFirst(new HeadClock(MAX_TIME));
  }
}
