package dev.spillway.locallambda.code;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Copies a package, a zip or a directory, to a fresh directory, as Lambda fills /var/task. */
final class Unpacking {
  private Unpacking() {}

  static void unpack(Path source, Path target) throws IOException {
    if (Files.isDirectory(source)) {
      copy(source, target);
      return;
    }
    // The zip file system, not ZipInputStream: only it knows the mode bits, and a bootstrap that
    // lost its x bit has to fail here as it fails on Lambda.
    Map<String, ?> posix = Map.of("enablePosixFileAttributes", true);
    try (FileSystem zip = FileSystems.newFileSystem(source, posix)) {
      copy(zip.getPath("/"), target);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(from)) {
      all = walk.toList();
    }
    for (Path path : all) {
      Path target = to.resolve(from.relativize(path).toString()).normalize();
      if (!target.startsWith(to)) {
        throw new IOException("an entry leaves the package: " + path);
      }
      if (Files.isDirectory(path)) {
        Files.createDirectories(target);
      } else {
        Files.copy(path, target);
        Files.setPosixFilePermissions(target, readable(path));
      }
    }
  }

  private static Set<PosixFilePermission> readable(Path path) throws IOException {
    Set<PosixFilePermission> modes = EnumSet.noneOf(PosixFilePermission.class);
    modes.addAll(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    modes.add(PosixFilePermission.OWNER_READ);
    modes.add(PosixFilePermission.OWNER_WRITE);
    return modes;
  }

  /** Puts everything of {@code root} but lib/ in one jar: the AOT cache takes no directories. */
  static void jarOfClasses(Path root, Path jar) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files =
          walk.filter(Files::isRegularFile)
              .filter(file -> !file.startsWith(root.resolve("lib")))
              .sorted()
              .toList();
    }
    try (OutputStream out = Files.newOutputStream(jar);
        var zip = new ZipOutputStream(out)) {
      // The JVM maps and verifies it once per cold start; inflating would cost more than disk.
      zip.setLevel(0);
      for (Path file : files) {
        var entry = new ZipEntry(root.relativize(file).toString().replace('\\', '/'));
        zip.putNextEntry(entry);
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
  }
}
