package dev.spillway.auth.hashing.spill;

import static dev.spillway.auth.Api.login;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.auth.Api;
import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.Spilling;
import dev.spillway.hashing.pool.HashPool;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hashes that libxcrypt made of random passwords: imported, and logged in with on both paths. */
@QuarkusTest
@TestProfile(Spilling.class)
class LibxcryptPairsTest {
  private static final int PAIRS = 300;
  private static final String SALT =
      "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final String[] VERSIONS = {"2a", "2b", "2y"};

  /** Perl's crypt is that of the system's library. */
  private static final String PROGRAM =
      "while (<>) { chomp; my ($p, $s) = split / /; print crypt(pack('H*', $p), $s), \"\\n\" }";

  private static FakeFunction function;

  @Inject HashPool pool;

  private record Pair(String password, String hash) {}

  @BeforeAll
  static void start() {
    function = FakeFunction.start();
  }

  @AfterAll
  static void stop() {
    function.close();
  }

  @Test
  void pairsOfLibxcrypt_logInOnBothPaths() throws Exception {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    function.computes();
    long seed = System.nanoTime();
    System.out.println("LibxcryptPairsTest: seed " + seed);
    List<Pair> pairs = pairs(new Random(seed));
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < PAIRS; i++) {
      for (String path : List.of("local", "spilled")) {
        lines.append(
            "{\"login\":\"%s%d\",\"hash\":\"%s\"}\n".formatted(path, i, pairs.get(i).hash()));
      }
    }
    Api.as("admin", LocalOnly.ADMIN_PASSWORD)
        .contentType("application/x-ndjson")
        .body(lines.toString().getBytes(StandardCharsets.UTF_8))
        .post("/users/import")
        .then()
        .statusCode(200);

    logIn("local", pairs);
    function.forget();
    try (HeldPool held = HeldPool.hold(pool)) {
      logIn("spilled", pairs);
    }
    assertThat(function.requests().size()).isGreaterThanOrEqualTo(PAIRS);
  }

  private static void logIn(String path, List<Pair> pairs) {
    for (int i = 0; i < PAIRS; i++) {
      String password = pairs.get(i).password();
      assertThat(login(path + i, password).statusCode()).as("%s %d", path, i).isEqualTo(200);
      if (i % 10 == 0) {
        String other = pairs.get((i + 1) % PAIRS).password();
        assertThat(login(path + i, other).statusCode()).as("%s %d", path, i).isEqualTo(401);
      }
    }
  }

  private static List<Pair> pairs(Random random) throws IOException, InterruptedException {
    List<String> passwords = new ArrayList<>();
    StringBuilder asked = new StringBuilder();
    for (int i = 0; i < PAIRS; i++) {
      String password = i + " " + text(random);
      passwords.add(password);
      StringBuilder salt = new StringBuilder();
      for (int c = 0; c < 21; c++) {
        salt.append(SALT.charAt(random.nextInt(SALT.length())));
      }
      String version = VERSIONS[random.nextInt(VERSIONS.length)];
      asked.append(
          "%s $%s$04$%s.%n"
              .formatted(
                  HexFormat.of().formatHex(password.getBytes(StandardCharsets.UTF_8)),
                  version,
                  salt));
    }
    Process perl;
    try {
      perl =
          new ProcessBuilder("perl", "-e", PROGRAM)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      System.out.println("LibxcryptPairsTest skipped: there is no perl");
      assumeTrue(false, "no perl");
      throw e;
    }
    Thread asking =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (var out = perl.getOutputStream()) {
                    out.write(asked.toString().getBytes(StandardCharsets.US_ASCII));
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    List<String> hashes =
        new String(perl.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
            .lines()
            .toList();
    asking.join();
    assertThat(perl.waitFor()).isZero();
    assertThat(hashes).hasSize(PAIRS).allMatch(hash -> hash.length() == 60);
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      pairs.add(new Pair(passwords.get(i), hashes.get(i)));
    }
    return pairs;
  }

  /** Up to the 72 bytes that are hashed, in letters of any script. */
  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int bytes = random.nextInt(68);
    while (true) {
      int codePoint = random.nextInt(4) == 0 ? random.nextInt(0x2fa20) : 1 + random.nextInt(126);
      if (codePoint == 0 || Character.getType(codePoint) == Character.SURROGATE) {
        continue;
      }
      String one = Character.toString(codePoint);
      bytes -= one.getBytes(StandardCharsets.UTF_8).length;
      if (bytes < 0) {
        return text.toString();
      }
      text.append(one);
    }
  }
}
