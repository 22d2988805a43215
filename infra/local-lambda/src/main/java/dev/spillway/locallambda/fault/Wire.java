package dev.spillway.locallambda.fault;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The TCP connection under an exchange that has not been answered, for what an HTTP server would
 * never do to it. The JDK's server keeps its sockets to itself, so the descriptor is looked up in
 * /proc and duplicated, so that it is good until this is closed, whatever becomes of the exchange:
 * Linux only. The connection ends when both have been closed.
 */
final class Wire implements AutoCloseable {
  static final boolean AVAILABLE = System.getProperty("os.name").equals("Linux");

  // Linux's numbers, the same on x86-64 and arm64.
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_LINGER = 13;
  private static final int POLLRDHUP = 0x2000;

  private static final MethodHandle DUP = function("dup", JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle SEND =
      function("send", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SETSOCKOPT =
      function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle POLL = function("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

  private final int descriptor;

  private Wire(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * @throws IOException if the connection is gone
   */
  static Wire under(HttpExchange exchange) throws IOException {
    String here = port(exchange.getLocalAddress().getPort());
    String there = port(exchange.getRemoteAddress().getPort());
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        // sl, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode
        String[] fields = line.strip().split("\\s+");
        if (fields[1].endsWith(here) && fields[2].endsWith(there)) {
          return new Wire(duplicate(descriptor("socket:[" + fields[9] + "]")));
        }
      }
    }
    throw new IOException("no such connection any more");
  }

  /** Sends the bytes as they are; false where the other side is gone. */
  boolean send(byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment left = arena.allocate(Math.max(1, bytes.length)).asSlice(0, bytes.length);
      MemorySegment.copy(bytes, 0, left, JAVA_BYTE, 0, bytes.length);
      while (left.byteSize() > 0) {
        long sent = (long) SEND.invokeExact(descriptor, left, left.byteSize(), MSG_NOSIGNAL);
        if (sent < 0) {
          return false;
        }
        left = left.asSlice(sent);
      }
      return true;
    } catch (Throwable e) {
      throw new IllegalStateException("send(2) cannot be called", e);
    }
  }

  /** The connection will be reset, not ended in an orderly manner. */
  void resetWhenClosed() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment atOnce = arena.allocateFrom(JAVA_INT, 1, 0);
      int done = (int) SETSOCKOPT.invokeExact(descriptor, SOL_SOCKET, SO_LINGER, atOnce, 8);
      if (done != 0) {
        throw new IllegalStateException("SO_LINGER refused");
      }
    } catch (IllegalStateException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("setsockopt(2) cannot be called", e);
    }
  }

  /** Whether the other side has closed or reset the connection. */
  boolean peerGone() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment asked =
          arena.allocate(MemoryLayout.structLayout(JAVA_INT, JAVA_SHORT, JAVA_SHORT));
      asked.set(JAVA_INT, 0, descriptor);
      asked.set(JAVA_SHORT, 4, (short) POLLRDHUP);
      return (int) POLL.invokeExact(asked, 1L, 0) != 0;
    } catch (Throwable e) {
      throw new IllegalStateException("poll(2) cannot be called", e);
    }
  }

  @Override
  public void close() {
    try {
      int _ = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException("close(2) cannot be called", e);
    }
  }

  private static int duplicate(int original) throws IOException {
    int copy;
    try {
      copy = (int) DUP.invokeExact(original);
    } catch (Throwable e) {
      throw new IllegalStateException("dup(2) cannot be called", e);
    }
    if (copy < 0) {
      throw new IOException("no such connection any more");
    }
    return copy;
  }

  private static String port(int port) {
    return String.format(Locale.ROOT, ":%04X", port);
  }

  private static int descriptor(String socket) throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : open) {
        if (isLinkTo(each, socket)) {
          return Integer.parseInt(each.getFileName().toString());
        }
      }
    }
    throw new IOException("no such connection any more");
  }

  private static boolean isLinkTo(Path link, String target) {
    try {
      return Files.readSymbolicLink(link).toString().equals(target);
    } catch (IOException e) {
      return false; // closed in between
    }
  }

  private static MethodHandle function(
      String name, MemoryLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }
}
