package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole path on real processes, on good days and bad ones; the worst comes last. */
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WholePathIT {
  private static final String LOCAL_LAMBDA = "local-lambda.jar";

  /** A library's own half a second is for machines that have nothing else to do. */
  private static final int FETCH_MILLIS = 20_000;

  @TempDir static Path data;
  private static Running service;

  @BeforeAll
  static void start() throws Exception {
    service = Running.start(data);
  }

  @AfterAll
  static void stop() throws Exception {
    service.close();
  }

  /** A verifier that is not ours, with nothing but the published keys. */
  @Test
  @Order(1)
  void token_isAcceptedByAnotherLibraryThroughTheKeySet() throws Exception {
    awaitLogin(); // on a busy machine the pool finds no time at first
    HttpResponse<String> answer = service.login("demo", "demo-password");
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode body = new ObjectMapper().readTree(answer.body());
    assertThat(body.get("token_type").asText()).isEqualTo("Bearer");
    String token = body.get("access_token").asText();

    DefaultJWTProcessor<SecurityContext> verifier = new DefaultJWTProcessor<>();
    verifier.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            JWSAlgorithm.ES256,
            JWKSourceBuilder.create(
                    service.uri("/.well-known/jwks.json").toURL(),
                    new DefaultResourceRetriever(FETCH_MILLIS, FETCH_MILLIS))
                .build()));
    JWTClaimsSet claims = verifier.process(token, null);

    assertThat(claims.getSubject()).isEqualTo("demo");
    assertThat(claims.getIssuer()).isEqualTo("http://localhost:" + service.port());
    assertThat(service.get("/me", "Authorization", "Bearer " + token).statusCode()).isEqualTo(200);
  }

  /** It would take half an hour, on a connection for each head. */
  @Test
  @Order(1)
  void headThatDrips_isAnswered408() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      OutputStream out = socket.getOutputStream();
      out.write("POST /login HTTP/1.1\r\nHost: x\r\nX-Long: ".getBytes(StandardCharsets.US_ASCII));
      socket.setSoTimeout(250);
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      try {
        for (int drop = 0; drop < 8_000; drop++) {
          try {
            socket.getInputStream().transferTo(answer);
            break; // the end
          } catch (SocketTimeoutException stillWaiting) {
            out.write('x');
          }
        }
      } catch (SocketException end) {
        // The last drop came after it had been closed; what it had been answered has been read.
      }
      assertThat(answer.toString(StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 408")
          .contains("application/problem+json")
          .contains("The head of a request may take at most 5 seconds.");
    }
  }

  @Test
  @Order(2)
  void burstLargerThanThePool_isServedByPoolAndFunction_orShed() throws Exception {
    // The first spills meet cold starts, which on a busy machine may outlast the deadline.
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> Burst.of(service, 10, 0, () -> {}).others().isEmpty() && spilled() > 0);
    double local = local();
    double spilled = spilled();

    // Hash threads step aside for all others, who may leave them no time before a burst is over.
    await()
        .atMost(Duration.ofSeconds(90))
        .until(
            () -> {
              Burst burst = Burst.of(service, 180, 20, () -> {});
              System.out.printf(
                  "burst of 200 at cost 12: %d granted, %d shed; hashed here %.0f, spilled %.0f%n",
                  burst.granted(), burst.shed(), local() - local, spilled() - spilled);
              assertThat(burst.others()).isEmpty();
              return burst.granted() > 0 && local() > local && spilled() > spilled;
            });
    Burst.assertWhole(service);
  }

  @Test
  @Order(3)
  void clientsLeavingAtRandom_loseNoPermit() throws Exception {
    double before = service.metric("spillway_login_total", "gone");
    Thread[] clients = new Thread[100];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = Thread.ofVirtual().start(WholePathIT::loginAndLeave);
    }
    for (Thread client : clients) {
      client.join();
    }
    Burst.assertWhole(service);
    await().until(() -> service.metric("spillway_login_total", "gone") > before);
    awaitLogin();
    assertThat(errors()).isEmpty();
  }

  @Test
  @Order(4)
  void functionProcessesKilledInMidBurst_costNoWrongVerdict() throws Exception {
    Burst burst = Burst.of(service, 60, 10, WholePathIT::killFunctions);

    assertThat(burst.others()).isEmpty();
    Burst.assertWhole(service);
    awaitLogin();
  }

  @Test
  @Order(5)
  void withTheFunctionGone_thePoolServesAndTheRestIsShed() throws Exception {
    await()
        .atMost(Duration.ofSeconds(90))
        .until(
            () -> Burst.of(service, 10, 0, () -> {}).others().isEmpty() && !functions().isEmpty());
    List<ProcessHandle> standIn = service.processes(LOCAL_LAMBDA);
    List<ProcessHandle> functions = functions();
    assertThat(standIn).hasSize(1);
    standIn.forEach(ProcessHandle::destroyForcibly);
    await("orphans of kill -9").until(() -> functions.stream().noneMatch(ProcessHandle::isAlive));

    // Three times what the pool serves within the deadline, or twice on a faster machine.
    int logins = 200 * Running.POOL_THREADS;
    await()
        .atMost(Duration.ofSeconds(90))
        .until(
            () -> {
              Burst burst = Burst.of(service, logins, 10, () -> {});
              assertThat(burst.others()).isEmpty();
              return burst.granted() > 0 && burst.shed() > 0;
            });
    Burst.assertWhole(service);
  }

  @Test
  @Order(6)
  void controlC_leavesNoProcessBehind() throws Exception {
    List<ProcessHandle> all = service.descendants();
    assertThat(all).isNotEmpty();

    assertThat(service.interrupt()).as("128 + SIGINT, as of any command").isEqualTo(130);

    await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(errors()).isEmpty();
  }

  private static void awaitLogin() {
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> service.login("demo", "demo-password").statusCode() == 200);
  }

  private static List<String> errors() {
    return service
        .output()
        .lines()
        .filter(line -> line.contains(" ERROR "))
        .limit(3)
        .map(line -> line.substring(0, Math.min(600, line.length())))
        .toList();
  }

  private static double local() throws Exception {
    return service.metric("spillway_hashing_total", "local");
  }

  private static double spilled() throws Exception {
    return service.metric("spillway_hashing_total", "spilled");
  }

  /** The function's processes: what the stand-in has started. */
  private static List<ProcessHandle> functions() {
    return service.processes(LOCAL_LAMBDA).stream()
        .flatMap(ProcessHandle::descendants)
        .filter(ProcessHandle::isAlive)
        .filter(process -> !isGuardian(process))
        .toList();
  }

  /** The shell that ends them when the stand-in has been killed. */
  private static boolean isGuardian(ProcessHandle process) {
    return Stream.of(process.info().arguments().orElse(new String[0]))
        .anyMatch(argument -> argument.startsWith("trap '' HUP"));
  }

  private static void killFunctions() {
    await().until(() -> !functions().isEmpty());
    functions().forEach(ProcessHandle::destroyForcibly);
  }

  private static void loginAndLeave() {
    byte[] body =
        "{\"login\":\"demo\",\"password\":\"demo-password\"}".getBytes(StandardCharsets.UTF_8);
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: "
                  + body.length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      out.write(body);
      out.flush();
      socket.setSoTimeout(1 + ThreadLocalRandom.current().nextInt(400));
      socket.getInputStream().readNBytes(1);
    } catch (SocketTimeoutException leaving) {
      // that is the point
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
