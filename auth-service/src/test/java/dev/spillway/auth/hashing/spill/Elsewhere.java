package dev.spillway.auth.hashing.spill;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A function behind a network that can be cut: a process in a network namespace of its own, at the
 * far end of a virtual cable. Wants root and iproute2.
 */
final class Elsewhere implements AutoCloseable {
  private final String name = "spillway" + ProcessHandle.current().pid();
  private final String here = "spw" + ProcessHandle.current().pid();
  private final String there = "spx" + ProcessHandle.current().pid();
  // RFC 2544's addresses for benchmarks: nobody's.
  private final String net = "198.18." + ProcessHandle.current().pid() % 256;
  private Optional<Process> function = Optional.empty();
  private URI url = URI.create("http://nowhere.invalid/");

  private Elsewhere() {}

  /** The function's process: answers until its standard input ends. */
  public static void main(String[] arguments) throws IOException {
    try (FaultyFunction function = new FaultyFunction(arguments[0])) {
      System.out.println(function.url());
      while (System.in.read() >= 0) {}
    }
  }

  /** Why there cannot be one here, or empty. */
  static Optional<String> lacking() {
    try (Elsewhere tried = new Elsewhere()) {
      tried.lay();
      return Optional.empty();
    } catch (UncheckedIOException e) {
      return Optional.of(e.getMessage());
    }
  }

  static Elsewhere start() throws IOException {
    Elsewhere elsewhere = new Elsewhere();
    try {
      elsewhere.lay();
      elsewhere.run();
      return elsewhere;
    } catch (IOException | UncheckedIOException e) {
      elsewhere.close();
      throw e;
    }
  }

  URI url() {
    return url;
  }

  /** What is on its way is lost, and nobody is told. */
  void cut() {
    inside("ip", "link", "set", there, "down");
  }

  void heal() {
    inside("ip", "link", "set", there, "up");
  }

  @Override
  public void close() {
    function.ifPresent(Process::destroyForcibly);
    // With the namespace alone the cable would go some time later, and be in the way of the next.
    gone("link", "delete", here);
    gone("netns", "delete", name);
  }

  private static void gone(String... arguments) {
    try {
      ip(arguments);
    } catch (UncheckedIOException e) {
      // it had never been there
    }
  }

  private void lay() {
    ip("netns", "add", name);
    ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
    ip("address", "add", net + ".1/30", "dev", here);
    ip("link", "set", here, "up");
    inside("ip", "address", "add", net + ".2/30", "dev", there);
    inside("ip", "link", "set", there, "up");
  }

  private void run() throws IOException {
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    ProcessBuilder builder =
        new ProcessBuilder(
            "ip",
            "netns",
            "exec",
            name,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            classes,
            Elsewhere.class.getName(),
            net + ".2");
    Process started = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    function = Optional.of(started);
    BufferedReader lines = started.inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    while (line != null && !line.startsWith("http://" + net)) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("the function did not start");
    }
    url = URI.create(line);
  }

  private void inside(String... command) {
    List<String> all = new ArrayList<>(List.of("netns", "exec", name));
    all.addAll(Arrays.asList(command));
    ip(all.toArray(String[]::new));
  }

  private static void ip(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(Arrays.asList(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(Duration.ofSeconds(10)) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said.strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted"));
    }
  }
}
