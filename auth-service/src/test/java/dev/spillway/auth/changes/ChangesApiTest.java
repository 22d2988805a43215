package dev.spillway.auth.changes;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.Api;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.Spilling;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.hashing.Hashing;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.path.json.JsonPath;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of changes, written in every way there is, and what an admin is shown of it. */
@QuarkusTest
@TestProfile(ChangesApiTest.Watching.class)
@Timeout(120)
class ChangesApiTest {
  private static final String OTHER_TARGET =
      """
      spillway.spill.targets.other.function=other
      spillway.spill.targets.other.endpoint=http://127.0.0.1:1
      spillway.spill.targets.other.region=eu-central-1
      """;

  /** Above what Spilling sets, in a folder of its own. */
  public static final class Watching extends Spilling {
    static final Path FOLDER = temporary();
    static final Path FILE = FOLDER.resolve("spill.properties");

    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> config = super.getConfigOverrides();
      config.put("spillway.bootstrap.admin-login", LocalOnly.ADMIN);
      config.put("spillway.changes.file", FILE.toString());
      config.put("spillway.changes.interval", "10ms");
      return config;
    }

    private static Path temporary() {
      try {
        return Files.createTempDirectory("changes");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final AtomicInteger starts = new AtomicInteger();

  @Inject UserDirectory users;
  @Inject ChangedConfig config;
  @Inject Hashing hashing;
  private RequestSpecification admin;

  @BeforeEach
  void startFromNothing() throws IOException {
    eventually().until(() -> given().get("/q/health/ready").statusCode() == 200);
    admin = Api.as(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD);
    int unique = 1_000 + starts.incrementAndGet();
    JsonPath shown =
        decided(
            "in_force",
            () -> {
              Files.deleteIfExists(Watching.FILE);
              replace("spillway.spill.keep-warm-interval=" + unique + "s");
            });
    assertThat(shown.getString("keep_warm_interval"))
        .isEqualTo(Duration.ofSeconds(unique).toString());
    assertThat(shown.getInt("targets[0].max_outstanding")).isEqualTo(64);
  }

  @Test
  void onlyAnAdmin_isShownTheSettings() {
    users.create(new NewUser(new LoginName("ann"), TestHash.of("right"), true, false, Set.of()));
    assertThat(given().get("/settings").statusCode()).isEqualTo(401);
    assertThat(Api.as("ann", "right").get("/settings").statusCode()).isEqualTo(403);
    JsonPath shown = settings();
    assertThat(shown.getString("enqueue_timeout")).isEqualTo("PT0.025S");
    assertThat(shown.getString("targets[0].name")).isEqualTo("fake");
    assertThat(shown.getString("targets[0].function")).isEqualTo(Spilling.FUNCTION);
    assertThat(shown.getString("file.path")).isEqualTo(Watching.FILE.toString());
  }

  @Test
  void whatItSays_isInForce_beforeEveryOtherWayOfSettingIt() throws IOException {
    String content =
        """
        spillway.pool.enqueue-timeout=40ms
        spillway.spill.retry-percent=50
        spillway.spill.hedge=true
        spillway.spill.group-wait=0ms
        spillway.spill.max-group=2
        spillway.spill.keep-warm-interval=5m
        spillway.spill.targets.fake.max-outstanding=7
        """
            + OTHER_TARGET;
    JsonPath shown = inForce(content);
    assertThat(shown.getString("enqueue_timeout")).isEqualTo("PT0.04S");
    assertThat(shown.getInt("retry_percent")).isEqualTo(50);
    assertThat(shown.getBoolean("hedge")).isTrue();
    assertThat(shown.getString("group_wait")).isEqualTo("PT0S");
    assertThat(shown.getInt("max_group")).isEqualTo(2);
    assertThat(shown.getString("keep_warm_interval")).isEqualTo("PT5M");
    assertThat(shown.getList("targets.name", String.class))
        .containsExactlyInAnyOrder("fake", "other");
    assertThat(shown.getInt("targets.find { it.name == 'fake' }.max_outstanding")).isEqualTo(7);
    assertThat(shown.getString("targets.find { it.name == 'other' }.endpoint"))
        .isEqualTo("http://127.0.0.1:1");
  }

  @ParameterizedTest
  @CsvSource({
    "spillway.spill.targets.fake.max-outstanding, 0",
    "spillway.spill.targets.fake.max-outstanding, many",
    "spillway.spill.targets.fake.keep-warm, 65",
    "spillway.spill.targets.fake.functions, f",
    "spillway.spill.targets.fake.endpoint, http://lambda.test",
    "spillway.spill.targets.fake.url, https://x.test",
    "spillway.spill.targets.new.region, eu-central-1",
    "spillway.spill.max-group, 17",
    "spillway.spill.retry-percent, -1",
    "spillway.spill.group-wait, 2s",
    "spillway.spill.hedges, true",
    "spillway.spill.cool-down, 2s",
    "spillway.pool.enqueue-timeout, 0ms",
    "spillway.pool.enqueue-timeout, 2s",
    "spillway.pool.threads, 3",
    "spillway.tokens.issuer, https://evil.test",
    "quarkus.log.level, TRACE",
  })
  void anythingThatCannotWork_isRefusedWithAllThatStandsBesideIt(String key, String value)
      throws IOException {
    double refusals = metric("spillway_changes_total{outcome=\"refused\"");
    String content = OTHER_TARGET + "spillway.spill.max-group=2\n" + key + "=" + value + "\n";
    JsonPath shown = decided("refused", () -> replace(content));
    String named = key.contains(".targets.") ? key.substring(0, key.lastIndexOf('.')) : key;
    assertThat(shown.getString("file.refusal")).contains(named);
    assertThat(shown.getList("targets.name", String.class)).containsExactly("fake");
    assertThat(shown.getInt("targets[0].max_outstanding")).isEqualTo(64);
    assertThat(shown.getInt("max_group")).isEqualTo(3);
    assertThat(metric("spillway_changes_refused")).isEqualTo(1);
    assertThat(metric("spillway_changes_total{outcome=\"refused\"")).isEqualTo(refusals + 1);

    assertThat(inForce("spillway.spill.max-group=4").getInt("max_group")).isEqualTo(4);
    assertThat(metric("spillway_changes_refused")).isZero();
  }

  @Test
  void whatIsNoText_isRefused() throws IOException {
    JsonPath shown =
        decided("refused", () -> Files.write(Watching.FILE, new byte[] {'a', (byte) 0xff}));
    assertThat(shown.getString("file.refusal")).contains("UTF-8");
    shown = decided("refused", () -> replace("# " + "x".repeat(70_000)));
    assertThat(shown.getString("file.refusal")).contains("65536");
  }

  /** As Kubernetes changes a mounted ConfigMap: the file's own name is a link that stays. */
  @Test
  void aSwitchedFolderOfLinks_isSeen() throws IOException {
    Path first = version("first", "spillway.spill.max-group=5");
    Path second = version("second", "spillway.spill.max-group=6");
    Path data = Watching.FOLDER.resolve("..data");
    Files.createSymbolicLink(data, first.getFileName());
    JsonPath shown =
        decided(
            "in_force",
            () -> {
              Files.delete(Watching.FILE);
              Files.createSymbolicLink(Watching.FILE, Path.of("..data", "spill.properties"));
            });
    assertThat(shown.getInt("max_group")).isEqualTo(5);

    Path next = Watching.FOLDER.resolve("..data_tmp");
    Files.createSymbolicLink(next, second.getFileName());
    shown =
        decided(
            "in_force",
            () ->
                Files.move(
                    next,
                    data,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING));
    assertThat(shown.getInt("max_group")).isEqualTo(6);
    decided("refused", () -> Files.delete(data));
  }

  /** The time of a file says nothing: an old one may be put back, a new one may say the same. */
  @Test
  void whatCounts_isTheContent() throws IOException {
    FileTime past = FileTime.from(java.time.Instant.EPOCH);
    assertThat(inForce("spillway.spill.max-group=5").getInt("max_group")).isEqualTo(5);
    Files.setLastModifiedTime(Watching.FILE, past);
    double applied = metric("spillway_changes_total{outcome=\"applied\"");

    replace("spillway.spill.max-group=5");
    Path other = Watching.FOLDER.resolve("other");
    Files.writeString(other, "spillway.spill.max-group=6");
    Files.setLastModifiedTime(other, past);
    JsonPath shown =
        decided("in_force", () -> Files.move(other, Watching.FILE, StandardCopyOption.ATOMIC_MOVE));
    assertThat(shown.getInt("max_group")).isEqualTo(6);
    assertThat(metric("spillway_changes_total{outcome=\"applied\"")).isEqualTo(applied + 1);
  }

  /** Valid text may be the first half of a file that somebody is just writing. */
  @Test
  void whatIsStillBeingWritten_isNotUsed() throws IOException {
    Path file = Watching.FOLDER.resolve("written in place");
    Changes ours =
        new Changes(new Config(file.toString()), config, hashing, new SimpleMeterRegistry());
    for (int group = 4; group < 8; group++) {
      Files.writeString(file, "spillway.spill.max-group=" + group);
      ours.look();
      assertThat(ours.state()).isEqualTo(new FileState.None());
      assertThat(settings().getInt("max_group")).isEqualTo(3);
    }
    ours.look();
    assertThat(ours.state()).isInstanceOf(FileState.InForce.class);
    assertThat(settings().getInt("max_group")).isEqualTo(7);
  }

  @Test
  void aFileThatIsGone_changesNothing() throws IOException {
    inForce("spillway.spill.max-group=5");
    JsonPath shown = decided("refused", () -> Files.delete(Watching.FILE));
    assertThat(shown.getString("file.refusal")).contains("gone");
    assertThat(shown.getInt("max_group")).isEqualTo(5);
    inForce("spillway.spill.max-group=5");
  }

  private record Config(String file) implements ChangesConfig {
    @Override
    public Duration interval() {
      return Duration.ofMinutes(10);
    }
  }

  private static Path version(String name, String content) throws IOException {
    Path folder = Files.createDirectory(Watching.FOLDER.resolve(name));
    Files.writeString(folder.resolve("spill.properties"), content);
    return folder;
  }

  private static void replace(String content) throws IOException {
    Path written = Files.writeString(Watching.FOLDER.resolve("written"), content);
    Files.move(written, Watching.FILE, StandardCopyOption.ATOMIC_MOVE);
  }

  private static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(30));
  }

  /** A change of what the file says. */
  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  /**
   * The settings once a change has been decided on. They are asked for anew then: an answer made
   * beside the decision may show some before it and some after.
   */
  private JsonPath decided(String state, Change change) throws IOException {
    String before = settings().getString("file.since");
    change.make();
    eventually()
        .until(
            () -> {
              JsonPath shown = settings();
              return shown.getString("file.state").equals(state)
                  && !shown.getString("file.since").equals(before);
            });
    return settings();
  }

  private JsonPath inForce(String content) throws IOException {
    return decided("in_force", () -> replace(content));
  }

  private JsonPath settings() {
    return admin.get("/settings").then().statusCode(200).extract().jsonPath();
  }

  private static double metric(String start) {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
