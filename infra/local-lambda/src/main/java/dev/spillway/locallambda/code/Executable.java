package dev.spillway.locallambda.code;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What {@code execve} would say about a file. It is asked beforehand because the wrappers in front
 * of the process would report a refusal as their own exit status.
 */
final class Executable {
  private static final int ELF_MACHINE = 18;
  private static final int X86_64 = 62;
  private static final int AARCH64 = 183;

  private Executable() {}

  /** The error text of a refused exec, or empty where the file can run on this machine. */
  static Optional<String> refusal(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.of("no such file or directory");
    }
    if (!Files.isExecutable(file)) {
      return Optional.of("permission denied");
    }
    byte[] head;
    try (InputStream in = Files.newInputStream(file)) {
      head = in.readNBytes(256);
    }
    String text = new String(head, ISO_8859_1);
    if (text.startsWith("#!")) {
      String interpreter = text.substring(2).strip().split("\\s", 2)[0];
      return Files.isExecutable(Path.of(interpreter))
          ? Optional.empty()
          : Optional.of("no such file or directory");
    }
    boolean elf = text.startsWith("\u007fELF") && head.length > ELF_MACHINE + 1;
    int machine = elf ? (head[ELF_MACHINE] & 0xff) | (head[ELF_MACHINE + 1] & 0xff) << 8 : -1;
    boolean macho = head.length >= 4 && (head[0] & 0xff) == 0xcf && (head[1] & 0xff) == 0xfa;
    return machine == ours() || macho ? Optional.empty() : Optional.of("exec format error");
  }

  private static int ours() {
    return switch (System.getProperty("os.arch")) {
      case "aarch64", "arm64" -> AARCH64;
      default -> X86_64;
    };
  }
}
