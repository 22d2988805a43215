package dev.spillway.locallambda;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.locallambda.fault.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Faults of connections, seen from a bare socket. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "descriptors are looked up in Linux's /proc")
class FaultyConnectionTest {
  private static final String BODY = "\"twenty characters\"";

  @TempDir static Path directory;
  private static LocalLambda lambda;

  @BeforeAll
  static void start() throws Exception {
    lambda = FakeFunction.in(directory).start();
  }

  @AfterAll
  static void stop() {
    lambda.close();
  }

  /** Whatever happened to a connection, nothing of it is left here. */
  @AfterEach
  void everyConnectionIsClosed() {
    Observe.until("no connection is left", () -> connections() == 0);
    lambda.heal();
  }

  @Test
  void silent_saysNothing_untilTheOtherSideHangsUp() throws Exception {
    long before = lambda.report(FakeFunction.NAME).invocations();
    lambda.inject(Fault.SILENT);
    try (Socket socket = post()) {
      socket.setSoTimeout(200);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(connections()).isEqualTo(1);
    }
    assertThat(lambda.report(FakeFunction.NAME).invocations()).as("begun").isEqualTo(before);
  }

  @Test
  void drip_isAByteASecond() throws Exception {
    lambda.inject(Fault.DRIP);
    long start = System.nanoTime();
    try (Socket socket = post()) {
      assertThat(head(socket)).contains("Content-Length: " + BODY.length() + "\r\n");
      assertThat(socket.getInputStream().read()).isEqualTo('"');
      assertThat(socket.getInputStream().read()).isEqualTo('t');
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(2));
    }
  }

  @Test
  void reset_comesInMidBody() throws Exception {
    lambda.inject(Fault.RESET);
    try (Socket socket = post()) {
      assertThatThrownBy(() -> socket.getInputStream().readAllBytes())
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("reset");
    }
  }

  @Test
  void closed_comesAfterAWholeAnswerThatSaidNothingOfIt() throws Exception {
    lambda.inject(Fault.CLOSED);
    try (Socket socket = post()) {
      assertThat(head(socket))
          .startsWith("HTTP/1.1 200 ")
          .contains("Content-Length: " + BODY.length() + "\r\n")
          .doesNotContainIgnoringCase("Connection:");
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII)).isEqualTo(BODY);
    }
  }

  @Test
  void closingLocalLambda_letsGoOfWhoIsKeptWaiting(@TempDir Path other) throws Exception {
    LocalLambda dying = FakeFunction.in(other).start();
    dying.inject(Fault.SILENT);
    try (Socket socket = post(dying)) {
      // Closed before it has been read, a connection is reset.
      Observe.until("the fault has hold of it", () -> descriptors(dying) == 2);
      socket.setSoTimeout(20_000);
      dying.close();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  private static Socket post() throws IOException {
    return post(lambda);
  }

  private static Socket post(LocalLambda lambda) throws IOException {
    Socket socket = new Socket("127.0.0.1", lambda.port());
    String request =
        "POST /2015-03-31/functions/Fake/invocations HTTP/1.1\r\nHost: x\r\nContent-Length: "
            + BODY.length()
            + "\r\n\r\n"
            + BODY;
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    return socket;
  }

  private static String head(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      assertThat(b).as(head.toString()).isNotNegative();
      head.append((char) b);
    }
    return head.toString();
  }

  private static long connections() {
    return connections(lambda);
  }

  /** Sockets on our side of the port, other than the listening one and those in TIME_WAIT. */
  private static long connections(LocalLambda lambda) {
    return sockets(lambda).count();
  }

  /** Our descriptors of these sockets: the HTTP server has one, and the fault one of its own. */
  private static long descriptors(LocalLambda lambda) {
    Set<String> sockets =
        sockets(lambda).map(fields -> "socket:[" + fields[9] + "]").collect(toSet());
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(each -> sockets.contains(target(each))).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed in between
    }
  }

  /** With the address: to somewhere else a connection may come from a port of the same number. */
  private static Stream<String[]> sockets(LocalLambda lambda) {
    String here = String.format("0100007F:%04X", lambda.port());
    return Stream.of("tcp", "tcp6")
        .flatMap(table -> lines(Path.of("/proc/self/net", table)))
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields[1].endsWith(here) && !fields[3].matches("0A|06"));
  }

  private static Stream<String> lines(Path table) {
    try {
      return Files.readAllLines(table).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
