package dev.spillway.benchmarks.overload;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads an answer as far as the load needs it: its status, where it ends, and whether its
 * connection does. One that comes without a length ends with its connection.
 */
final class Reply {
  private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CLOSE = "connection: close".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CHUNKED =
      "transfer-encoding: chunked".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int STATUS_AT = "HTTP/1.1 ".length();

  private byte[] bytes = new byte[1024];
  private int length;

  /** Behind the head; -1 while that is not complete. */
  private int body = -1;

  private int status;
  private long contentLength = -1;
  private boolean chunked;
  private boolean closes;

  /** Takes what has come. */
  void add(ByteBuffer come) {
    if (length + come.remaining() > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (length + come.remaining()));
    }
    int from = Math.max(0, length - 3);
    int added = come.remaining();
    come.get(bytes, length, added);
    length += added;
    if (body < 0) {
      findBody(from);
    }
  }

  boolean complete() {
    if (body < 0) {
      return false;
    }
    if (chunked) {
      return length - body >= LAST_CHUNK.length && matches(length - LAST_CHUNK.length, LAST_CHUNK);
    }
    return contentLength >= 0 && length - body >= contentLength;
  }

  /** Once it is complete. */
  int status() {
    return status;
  }

  /** Whether nothing else can be asked on its connection. */
  boolean closes() {
    return closes;
  }

  /** For the next answer on the same connection. */
  void clear() {
    length = 0;
    body = -1;
    contentLength = -1;
    chunked = false;
    closes = false;
  }

  private void findBody(int from) {
    for (int i = from; i + 3 < length; i++) {
      if (bytes[i] == '\r'
          && bytes[i + 1] == '\n'
          && bytes[i + 2] == '\r'
          && bytes[i + 3] == '\n') {
        body = i + 4;
        readHead();
        return;
      }
    }
  }

  private void readHead() {
    status =
        100 * (bytes[STATUS_AT] - '0')
            + 10 * (bytes[STATUS_AT + 1] - '0')
            + bytes[STATUS_AT + 2]
            - '0';
    for (int i = STATUS_AT; i < body - 2; i++) {
      if (bytes[i] == '\n') {
        readHeader(i + 1);
      }
    }
  }

  private void readHeader(int at) {
    if (matches(at, LENGTH)) {
      long number = 0;
      for (int i = at + LENGTH.length; bytes[i] != '\r'; i++) {
        number = bytes[i] == ' ' ? number : 10 * number + bytes[i] - '0';
      }
      contentLength = number;
    } else if (matches(at, CLOSE)) {
      closes = true;
    } else if (matches(at, CHUNKED)) {
      chunked = true;
    }
  }

  /** Letters count alike in either case. */
  private boolean matches(int at, byte[] text) {
    if (at + text.length > length) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      int have = bytes[at + i];
      if ((have >= 'A' && have <= 'Z' ? have | 0x20 : have) != text[i]) {
        return false;
      }
    }
    return true;
  }
}
