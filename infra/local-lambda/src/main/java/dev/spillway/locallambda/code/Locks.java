package dev.spillway.locallambda.code;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * File locks that also hold between threads of one JVM, where the JDK throws instead of waiting.
 */
public final class Locks {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private Locks() {}

  /** Waits for the exclusive lock of {@code channel}'s file. */
  public static FileLock exclusive(FileChannel channel) throws IOException {
    while (true) {
      try {
        return channel.lock();
      } catch (OverlappingFileLockException _) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
