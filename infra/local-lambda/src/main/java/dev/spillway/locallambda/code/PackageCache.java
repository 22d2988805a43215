package dev.spillway.locallambda.code;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Unpacked packages by the digest of their contents, shared by every local-lambda of this user. A
 * package is some 50 MB with its AOT cache and every build makes a new one, so old ones go: those
 * that no living process uses, beyond the latest few.
 *
 * <p>A process says that it uses a package by a file of its pid's name. Not by a lock held on a
 * file: closing any channel of a file drops all of a process's locks on it (fcntl(2)).
 */
record PackageCache(Path root) {
  private static final int KEPT = 6;

  /** Lock file beside the package's directory, held by the process that changes it. */
  FileChannel lockFile(String key) throws IOException {
    return FileChannel.open(
        root.resolve(key + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** The directory of {@code key}, ours from now on until we end. */
  Path use(String key) throws IOException {
    Path directory = root.resolve(key);
    Path users = Files.createDirectories(directory.resolve("users"));
    Path own = users.resolve(Long.toString(ProcessHandle.current().pid()));
    if (!Files.exists(own)) {
      Files.createFile(own);
    }
    Files.setLastModifiedTime(directory, FileTime.from(Instant.now()));
    return directory;
  }

  void prune() throws IOException {
    List<Path> oldestLast;
    try (Stream<Path> entries = Files.list(root)) {
      oldestLast =
          entries
              .filter(Files::isDirectory)
              .sorted(Comparator.comparing(PackageCache::lastUse).reversed())
              .toList();
    }
    for (Path directory : oldestLast.stream().skip(KEPT).toList()) {
      String key = String.valueOf(directory.getFileName());
      try (FileChannel channel = lockFile(key);
          FileLock lock = channel.tryLock()) {
        if (lock != null && !inUse(directory)) {
          Trees.delete(directory);
        }
      } catch (OverlappingFileLockException _) {
        // Another thread of ours is unpacking it.
      }
    }
  }

  private static Instant lastUse(Path directory) {
    try {
      return Files.getLastModifiedTime(directory).toInstant();
    } catch (IOException e) {
      return Instant.EPOCH; // deleted by another process meanwhile
    }
  }

  private static boolean inUse(Path directory) throws IOException {
    Path users = directory.resolve("users");
    if (!Files.isDirectory(users)) {
      return false;
    }
    try (Stream<Path> pids = Files.list(users)) {
      return pids.map(pid -> Long.parseLong(String.valueOf(pid.getFileName())))
          .anyMatch(pid -> ProcessHandle.of(pid).isPresent());
    }
  }
}
