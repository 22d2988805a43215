package dev.spillway.benchmarks.overload;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One kept-alive connection, with at most one login on it. Touched by the loop's thread only. */
final class Connection {
  private final SocketChannel channel;
  private final SelectionKey key;
  private final Reply reply = new Reply();

  /** What could not be written yet; null if nothing is left. */
  private ByteBuffer unwritten;

  private int traffic;
  private long dueNanos;
  private long login;
  private boolean busy;

  private Connection(SocketChannel channel, Selector selector) throws IOException {
    this.channel = channel;
    this.key = channel.register(selector, SelectionKey.OP_CONNECT, this);
  }

  /** Not bound first: a port that waits for its time to be over could not be used again then. */
  static Connection open(Selector selector, InetSocketAddress to) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      Connection connection = new Connection(channel, selector);
      if (channel.connect(to)) {
        connection.key.interestOps(SelectionKey.OP_READ);
      }
      return connection;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * @param login its number: a later one on the same connection has another
   */
  void send(int traffic, long dueNanos, long login, ByteBuffer request) throws IOException {
    this.traffic = traffic;
    this.dueNanos = dueNanos;
    this.login = login;
    this.busy = true;
    reply.clear();
    if (channel.isConnected()) {
      channel.write(request);
    }
    if (request.hasRemaining()) {
      unwritten = ByteBuffer.allocate(request.remaining()).put(request).flip();
      if (channel.isConnected()) {
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      }
    }
  }

  /** Connects, or writes what is left. */
  void advance() throws IOException {
    if (key.isConnectable()) {
      channel.finishConnect();
    }
    if (unwritten != null) {
      channel.write(unwritten);
      if (unwritten.hasRemaining()) {
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        return;
      }
      unwritten = null;
    }
    key.interestOps(SelectionKey.OP_READ);
  }

  /** Whether the answer is complete. */
  boolean read(ByteBuffer buffer) throws IOException {
    buffer.clear();
    if (channel.read(buffer) < 0) {
      throw new IOException("closed by the service");
    }
    reply.add(buffer.flip());
    return reply.complete();
  }

  Reply reply() {
    return reply;
  }

  boolean readable() {
    return key.isReadable();
  }

  boolean open() {
    return channel.isOpen();
  }

  boolean busy() {
    return busy;
  }

  boolean busyWith(long number) {
    return busy && login == number;
  }

  void free() {
    busy = false;
  }

  int traffic() {
    return traffic;
  }

  long dueNanos() {
    return dueNanos;
  }

  void close() {
    busy = false;
    try {
      channel.close();
    } catch (IOException e) {
      // It is not needed any more.
    }
  }
}
