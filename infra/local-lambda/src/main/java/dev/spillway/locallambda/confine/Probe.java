package dev.spillway.locallambda.confine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Whether a command works here, found out by running it. */
final class Probe {
  private static final int PATIENCE_SECONDS = 10;

  private Probe() {}

  /**
   * @throws IOException where the command cannot be run or does not end with 0, and what it said
   */
  static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command.getFirst() + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    if (process.exitValue() != 0) {
      String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      throw new IOException(said.isEmpty() ? command.getFirst() + " fails" : said);
    }
  }
}
