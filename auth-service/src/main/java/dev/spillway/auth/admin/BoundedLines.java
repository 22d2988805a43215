package dev.spillway.auth.admin;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads lines of bounded length from a stream of any length. */
final class BoundedLines {
  private final InputStream in;
  private final int maxLength;

  /**
   * @param maxLength bytes of a line that are kept; of a longer one nothing is
   */
  BoundedLines(InputStream in, int maxLength) {
    this.in = new BufferedInputStream(in, 64 * 1024);
    this.maxLength = maxLength;
  }

  /** The next line without its end; empty if there are no more. */
  java.util.Optional<Line> next() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    boolean tooLong = false;
    int b = in.read();
    if (b < 0) {
      return java.util.Optional.empty();
    }
    for (; b >= 0 && b != '\n'; b = in.read()) {
      tooLong |= bytes.size() == maxLength;
      if (!tooLong) {
        bytes.write(b);
      }
    }
    return java.util.Optional.of(new Line(tooLong ? new byte[0] : bytes.toByteArray(), tooLong));
  }

  /** One line. */
  record Line(byte[] bytes, boolean tooLong) {
    boolean blank() {
      for (byte b : bytes) {
        if (b != ' ' && b != '\t' && b != '\r') {
          return false;
        }
      }
      return !tooLong;
    }
  }
}
