package dev.spillway.locallambda.environment;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * What an environment's process writes to stdout and stderr: passed on line by line under a prefix,
 * its last lines kept for callers that ask for the log's tail.
 */
final class FunctionLog {
  /** X-Amz-Log-Result carries the last 4 KB. */
  private static final int TAIL = 4096;

  private final String prefix;
  private final Consumer<String> sink;
  private final ArrayDeque<String> tail = new ArrayDeque<>(); // guarded by this
  private int tailLength; // guarded by this

  FunctionLog(String prefix, Consumer<String> sink) {
    this.prefix = prefix;
    this.sink = sink;
  }

  /** Reads to the end. A platform thread: reading a pipe would pin a virtual one to its carrier. */
  void follow(InputStream output) {
    Thread.ofPlatform().daemon().name("local-lambda-log " + prefix).start(() -> read(output));
  }

  synchronized String tail() {
    return String.join("", tail);
  }

  private void read(InputStream output) {
    try (var lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        keep(line + "\n");
        sink.accept(prefix + line);
      }
    } catch (IOException _) {
      // The process is gone; so is what it had to say.
    }
  }

  private synchronized void keep(String line) {
    tail.addLast(line);
    tailLength += line.length();
    while (tailLength > TAIL && tail.size() > 1) {
      tailLength -= tail.removeFirst().length();
    }
  }
}
