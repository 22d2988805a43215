package dev.spillway.auth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports that nobody listens on. */
public final class FreePort {
  /** Below those that a system hands out: nobody gets one who does not ask for it by number. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(20_000, 30_000));

  private FreePort() {}

  /** Another one each time. */
  public static int next() {
    while (true) {
      try (ServerSocket socket = new ServerSocket(NEXT.getAndIncrement())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        continue; // somebody's own
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
