package dev.spillway.auth.passwords;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A file of SHA-1 digests as lists of breached passwords are published: a line each of 40
 * hexadecimal digits, in ascending order, with or without a colon and a count behind them.
 *
 * <p>A search makes some 50 small reads, of 40 GB too, and keeps nothing. Each search opens the
 * file anew: a file that replaced it is used from then on, and an interrupted thread does not close
 * the file for others. A memory mapping would turn a disk error, or a file cut short, into an error
 * of the JVM.
 */
final class BreachedFile {
  private static final int DIGEST_BYTES = 20;

  /** The digits, a colon, a count of up to 20 digits, and CR LF. */
  private static final int LONGEST_LINE = 64;

  private static final int BLOCK = 4096;

  /** Blocks that a check reads: all of a megabyte, or as many of more than that. */
  private static final int CHECKED_BLOCKS = 256;

  private final Path path;

  BreachedFile(Path path) {
    this.path = path;
  }

  /**
   * Whether there is a line of this digest.
   *
   * @throws IOException if the file cannot be read, or is of another kind where it was looked into.
   *     It does not say where: that would tell of the digest
   */
  boolean contains(byte[] sha1) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      // The line, if there is one, begins at `from` or behind it, and before `to`.
      long from = 0;
      long to = file.size();
      if (to == 0) {
        throw new IOException("it is empty");
      }
      while (to - from > BLOCK) {
        long middle = from + (to - from) / 2;
        long line = firstLine(file, middle + 1);
        int order = Arrays.compareUnsigned(digests(file, line, line + 1).getFirst(), sha1);
        if (order == 0) {
          return true;
        }
        if (order < 0) {
          from = line;
        } else {
          to = middle + 1;
        }
      }
      return digests(file, from, to).stream().anyMatch(digest -> Arrays.equals(digest, sha1));
    }
  }

  /**
   * Checks the beginning, the end, and samples between them: all of a small file.
   *
   * @throws IOException if it is not such a file; the message says why
   */
  void check() throws IOException {
    if (!Files.exists(path)) {
      throw new IOException("there is no such file");
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException("it is no file");
    }
    if (!Files.isReadable(path)) {
      throw new IOException("it must not be read by this user");
    }
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = file.size();
      if (size == 0) {
        throw new IOException("it is empty");
      }
      byte[] last = new byte[DIGEST_BYTES];
      long step = Math.max(BLOCK, size / CHECKED_BLOCKS);
      for (long at = 0; at < size; at += step) {
        last = ascending(last, file, at, Math.min(at + BLOCK, size));
        if (at + BLOCK < size && at + step >= size) {
          last = ascending(last, file, Math.max(at + BLOCK, size - BLOCK), size);
        }
      }
    }
  }

  /** Its path. */
  @Override
  public String toString() {
    return path.toString();
  }

  /** The last digest of those whose lines begin between two offsets; the given one if none does. */
  private static byte[] ascending(byte[] before, FileChannel file, long from, long to)
      throws IOException {
    byte[] last = before;
    for (byte[] digest : digests(file, firstLine(file, from), to)) {
      if (Arrays.compareUnsigned(last, digest) > 0) {
        throw new IOException("its lines are not sorted");
      }
      last = digest;
    }
    return last;
  }

  /** Where the first line begins of those not before an offset; the file's end if there is none. */
  private static long firstLine(FileChannel file, long offset) throws IOException {
    if (offset == 0) {
      return 0;
    }
    ByteBuffer read = read(file, offset - 1, LONGEST_LINE);
    while (read.hasRemaining()) {
      if (read.get() == '\n') {
        return offset - 1 + read.position();
      }
    }
    if (read.limit() == LONGEST_LINE) {
      throw notOfDigests();
    }
    return file.size();
  }

  /** Of the lines that begin between two offsets; one begins at the first. */
  private static List<byte[]> digests(FileChannel file, long from, long to) throws IOException {
    int length = (int) Math.max(0, to - from);
    ByteBuffer read = read(file, from, length + LONGEST_LINE);
    List<byte[]> digests = new ArrayList<>();
    while (read.position() < length) {
      digests.add(digest(read));
    }
    return digests;
  }

  /** Of the line that begins here, to whose end it reads. */
  private static byte[] digest(ByteBuffer line) throws IOException {
    byte[] digest = new byte[DIGEST_BYTES];
    for (int i = 0; i < DIGEST_BYTES; i++) {
      digest[i] = (byte) (digit(line) << 4 | digit(line));
    }
    boolean counted = line.hasRemaining() && line.get(line.position()) == ':';
    while (line.hasRemaining()) {
      byte b = line.get();
      if (b == '\n') {
        break;
      }
      if (b != '\r' && !counted) {
        throw notOfDigests();
      }
    }
    return digest;
  }

  private static int digit(ByteBuffer line) throws IOException {
    if (!line.hasRemaining()) {
      throw notOfDigests();
    }
    byte b = line.get();
    if (!HexFormat.isHexDigit(b)) {
      throw notOfDigests();
    }
    return HexFormat.fromHexDigit(b);
  }

  /** Fewer bytes at the end of the file only. */
  private static ByteBuffer read(FileChannel file, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {
      // until it is full, or the file ends
    }
    return bytes.flip();
  }

  private static IOException notOfDigests() {
    return new IOException("its lines are not SHA-1 digests of 40 hexadecimal digits each");
  }
}
