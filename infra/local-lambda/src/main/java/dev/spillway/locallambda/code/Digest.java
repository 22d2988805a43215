package dev.spillway.locallambda.code;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** A running SHA-256 over names and contents. */
final class Digest {
  private final MessageDigest sha256;

  Digest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  Digest text(String text) {
    sha256.update(text.getBytes(UTF_8));
    sha256.update((byte) 0);
    return this;
  }

  /** A file's content, or a directory's names, modes and contents in a fixed order. */
  Digest tree(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      text(root.relativize(file).toString());
      text(Boolean.toString(Files.isExecutable(file)));
      sha256.update(Files.readAllBytes(file));
    }
    return this;
  }

  String hex() {
    return HexFormat.of().formatHex(sha256.digest(), 0, 12);
  }
}
