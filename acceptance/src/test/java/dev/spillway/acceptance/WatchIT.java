package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./spillway watch} beside a real service: what it shows is what happened. */
@Timeout(180)
class WatchIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path data;
  private static Running service;

  @TempDir Path output;

  @BeforeAll
  static void start() throws Exception {
    service = Running.start(data);
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> service.login("demo", "demo-password").statusCode() == 200);
  }

  @AfterAll
  static void stop() throws Exception {
    service.close();
  }

  @Test
  void aBurst_isCountedLoginForLogin() throws Exception {
    JsonNode before = once();
    assertThat(before.at("/spill/targets/local/bound").asInt()).isPositive();
    assertThat(before.at("/pool/cost").asInt()).isEqualTo(12);

    Burst burst = Burst.of(service, 60, 6, () -> {});
    Burst.assertWhole(service);
    JsonNode after = once();

    assertThat(burst.others()).isEmpty();
    assertThat(grown(before, after, "logins", "granted")).isEqualTo(burst.granted());
    assertThat(grown(before, after, "logins", "shed")).isEqualTo(burst.shed());
    long denied = grown(before, after, "logins", "denied");
    assertThat(burst.granted() + burst.shed() + denied).isEqualTo(66);
    assertThat(grown(before, after, "hashes", "local") + grown(before, after, "hashes", "spilled"))
        .as("a hash for each login that was decided")
        .isEqualTo(burst.granted() + denied);
    assertThat(after.at("/pool/permitsUsed").asInt()).isZero();
  }

  @Test
  void inMidBurst_permitsAndRatesMove_andControlCEndsItWell() throws Exception {
    Path lines = output.resolve("watch.ndjson");
    Process watch = watch(lines.toFile(), "--json", "--interval", "100ms");
    try {
      await().atMost(Duration.ofSeconds(30)).until(() -> !read(lines).isEmpty());

      // Bursts as long as it takes: one may be over between two readings.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                assertThat(Burst.of(service, 40, 0, () -> {}).others()).isEmpty();
                List<JsonNode> seen = read(lines);
                return seen.stream().anyMatch(line -> line.at("/pool/permitsUsed").asInt() > 0)
                    && seen.stream().anyMatch(line -> perSecond(line) > 0);
              });
      new ProcessBuilder("kill", "-INT", Long.toString(watch.pid())).start().waitFor();
      assertThat(watch.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(watch.exitValue()).isZero();
    } finally {
      watch.destroyForcibly();
    }
  }

  /** No terminal here, so a line each. */
  @Test
  void withoutATerminal_linesArePrinted() throws Exception {
    Burst.assertWhole(service);
    Path lines = output.resolve("watch.txt");
    Process watch = watch(lines.toFile(), "--interval", "200ms");
    try {
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(lastTwo(Files.readString(lines)))
                      .hasSize(2)
                      .allMatch(line -> line.contains(" pool 0/") && line.contains("local 0/")));
      assertThat(Files.readString(lines)).doesNotContain("\u001b");
    } finally {
      watch.destroyForcibly();
    }
  }

  @Test
  void withoutAService_onceSaysSoAndFails() throws Exception {
    Path said = output.resolve("said.txt");
    Process watch =
        process(said.toFile(), "http://127.0.0.1:" + Running.freePort(), "--once", "--json");
    assertThat(watch.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(watch.exitValue()).isEqualTo(1);
    assertThat(Files.readString(said)).contains("no service at").contains("nothing listens there");
  }

  /** Whole ones: on a busy machine an earlier one may say that nothing answered in time. */
  private static List<String> lastTwo(String text) {
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    return lines.subList(Math.max(0, lines.size() - 2), lines.size());
  }

  private JsonNode once() throws Exception {
    File file = Files.createTempFile(output, "once", ".json").toFile();
    Process watch = watch(file, "--once", "--json", "--interval", "100ms");
    assertThat(watch.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(watch.exitValue()).as(Files.readString(file.toPath())).isZero();
    JsonNode state = JSON.readTree(file);
    assertThat(state.get("answers").asBoolean()).isTrue();
    return state;
  }

  private static Process watch(File out, String... options) throws IOException {
    return process(out, service.uri("").toString(), options);
  }

  private static Process process(File out, String url, String... options) throws IOException {
    List<String> command = new ArrayList<>(Running.HEEDING_CTRL_C);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-jar");
    command.add(Running.HOME.resolve("console/target/console.jar").toString());
    command.addAll(List.of("watch", "--url", url));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out).start();
  }

  /** All whole lines that are there. */
  private static List<JsonNode> read(Path lines) throws IOException {
    String text = Files.readString(lines);
    List<JsonNode> states = new ArrayList<>();
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      states.add(JSON.readTree(line));
    }
    return states;
  }

  private static long grown(JsonNode before, JsonNode after, String group, String name) {
    return after.at("/" + group + "/" + name + "/total").asLong()
        - before.at("/" + group + "/" + name + "/total").asLong();
  }

  private static double perSecond(JsonNode state) {
    return state.at("/logins/granted/perSecond").asDouble()
        + state.at("/logins/shed/perSecond").asDouble();
  }
}
