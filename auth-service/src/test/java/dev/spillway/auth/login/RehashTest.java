package dev.spillway.auth.login;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.HeldPool;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.RawClient;
import dev.spillway.auth.TestHash;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.StoredHash;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.pool.HashPool;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** FusionAuth #250 (another factor, a failing rehash) and pocketbase #2053 (a client that left). */
@QuarkusTest
@TestProfile(LocalOnly.class)
class RehashTest {
  private static final String PASSWORD = "right horse";
  private static final byte[] BYTES = PASSWORD.getBytes(StandardCharsets.UTF_8);

  @Inject UserDirectory users;
  @Inject Hashing hashing;
  @Inject HashPool pool;
  @Inject HashingConfig config;
  @Inject MeterRegistry service;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @BeforeEach
  void awaitWarmUp() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void oldPrefix_isReplaced_afterARightPasswordOnly() {
    UserRecord before = user("old-prefix", TestHash.of("2y", 4, PASSWORD));
    assertThat(login("old-prefix", PASSWORD + "x")).isEqualTo(401);
    assertThat(find("old-prefix")).isEqualTo(before);

    assertThat(login("old-prefix", PASSWORD)).isEqualTo(200);

    await().until(() -> !find("old-prefix").legacy());
    assertThat(find("old-prefix").passwordHash()).startsWith("$2b$04$");
    assertThat(find("old-prefix").epoch()).as("sessions go on").isEqualTo(before.epoch());
    assertThat(login("old-prefix", PASSWORD)).isEqualTo(200);
    assertThat(login("old-prefix", PASSWORD + "x")).isEqualTo(401);
  }

  @Test
  void goodHash_andOneOfHigherCost_areLeftAlone() {
    for (int cost : new int[] {4, 5}) {
      UserRecord user = user("good-" + cost, TestHash.of("2b", cost, PASSWORD));
      Rehash rehash = rehash(users);
      rehash.offer(user, parsed(user), false, BYTES);
      assertOnlyTheNextIsStored(rehash, "after-good-" + cost);
      assertThat(find("good-" + cost)).isEqualTo(user);
    }
  }

  /** The prefix gets better, the cost no worse. */
  @Test
  void oldPrefixOfAHigherCost_keepsTheCost() {
    UserRecord user = user("costly", TestHash.of("2y", 6, PASSWORD));
    rehash(users).offer(user, parsed(user), false, BYTES);
    await().until(() -> count("stored") == 1);
    assertThat(find("costly").passwordHash()).startsWith("$2b$06$");
  }

  /** R1, R3: two instances on one database, and both have seen the old hash. */
  @Test
  void twoInstances_oneStores_theOtherIsSuperseded() {
    UserRecord user = user("raced", TestHash.of("2a", 4, PASSWORD));
    Rehash faster = rehash(users);
    Rehash slower =
        rehash(
            before(
                "replacePasswordHash",
                () -> {
                  faster.offer(user, parsed(user), false, BYTES);
                  await().until(() -> count("stored") == 1);
                }));
    slower.offer(user, parsed(user), false, BYTES);

    await().until(() -> count("superseded") == 1);
    assertThat(count("stored")).isEqualTo(1);
    assertThat(login("raced", PASSWORD)).isEqualTo(200);
  }

  /** R3. */
  @Test
  void passwordThatWasSetMeanwhile_staysSet() {
    UserRecord user = user("changed", TestHash.of("2a", 4, PASSWORD));
    String other = TestHash.of("another");
    rehash(
            before(
                "replacePasswordHash",
                () -> users.setPasswordHash(WhichUser.of(user.id()), other, AddedRows.nothing())))
        .offer(user, parsed(user), false, BYTES);

    await().until(() -> count("superseded") == 1);
    assertThat(find("changed").passwordHash()).isEqualTo(other);
  }

  /** R1. */
  @Test
  void oneAtATime_theOthersAreSkipped() {
    UserRecord user = user("twice", TestHash.of("2a", 4, PASSWORD));
    CountDownLatch go = new CountDownLatch(1);
    Rehash rehash = rehash(before("replacePasswordHash", () -> awaitIt(go)));
    for (int i = 0; i < 20; i++) {
      rehash.offer(user, parsed(user), false, BYTES);
    }
    assertThat(count("skipped")).isEqualTo(19);
    go.countDown();
    await().until(() -> count("stored") == 1);
  }

  /** R2: the pool is busy, so there is nothing to spare; the login was answered all the same. */
  @Test
  void underLoad_isSkipped() {
    UserRecord user = user("busy", TestHash.of("2a", 4, PASSWORD));
    try (HeldPool held = HeldPool.hold(pool)) {
      rehash(users).offer(user, parsed(user), false, BYTES);
      await().until(() -> count("skipped") == 1);
    }
    assertThat(find("busy")).isEqualTo(user);
  }

  @Test
  void failure_doesNotFailTheLogin_andTheNextOneTriesAgain() {
    UserRecord user = user("unlucky", TestHash.of("2a", 4, PASSWORD));
    Rehash rehash =
        rehash(
            before(
                "replacePasswordHash",
                () -> {
                  if (count("failed") == 0) {
                    throw new IllegalStateException("on purpose");
                  }
                }));
    rehash.offer(user, parsed(user), false, BYTES);
    await().until(() -> count("failed") == 1);
    assertThat(find("unlucky")).isEqualTo(user);
    await()
        .until(
            () -> {
              rehash.offer(user, parsed(user), false, BYTES);
              return count("stored") == 1;
            });
  }

  @Test
  void clientThatLeft_getsNoRehash() throws Exception {
    UserRecord user = user("gone", TestHash.of("2a", 4, PASSWORD));
    double before = gone();
    try (HeldPool held = HeldPool.hold(pool)) {
      try (RawClient client = new RawClient(RestAssured.port)) {
        client.send(
            "POST", "/login", "", "{\"login\":\"gone\",\"password\":\"%s\"}".formatted(PASSWORD));
        await().until(() -> pool.waiting() == 1);
      }
      await().until(() -> gone() - before == 1);
    }
    assertThat(login("nobody", PASSWORD)).as("something after it has ended").isEqualTo(401);
    assertThat(find("gone")).isEqualTo(user);
  }

  /** 73 bytes and more are nobody's password, and a cut one must not become a whole one. */
  @Test
  void passwordThatIsTooLongInNfc_keepsItsOldHash() {
    UserRecord user = user("long-nfc", TestHash.of("2a", 4, PASSWORD));
    Rehash rehash = rehash(users);
    rehash.offer(user, parsed(user), true, new byte[73]);
    assertOnlyTheNextIsStored(rehash, "after-long-nfc");
    assertThat(find("long-nfc")).isEqualTo(user);
  }

  /** What was begun before would be in the way of the next one, or counted before it. */
  private void assertOnlyTheNextIsStored(Rehash rehash, String next) {
    double before = count("stored");
    UserRecord user = user(next, TestHash.of("2a", 4, PASSWORD));
    rehash.offer(user, parsed(user), false, BYTES);
    await().until(() -> count("stored") + count("skipped") > before);
    assertThat(find(next).legacy()).isFalse();
    assertThat(count("stored") - before).isEqualTo(1);
  }

  private Rehash rehash(UserDirectory directory) {
    return new Rehash(directory, hashing, config, meters);
  }

  private double count(String outcome) {
    return meters.find("spillway.rehash").tag("outcome", outcome).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  /** Logins to the service whose client has left. */
  private double gone() {
    return service.get("spillway.login").tag("outcome", "gone").counter().count();
  }

  /** The directory, and something that happens just before one of its methods. */
  private UserDirectory before(String name, Runnable what) {
    return (UserDirectory)
        Proxy.newProxyInstance(
            UserDirectory.class.getClassLoader(),
            new Class<?>[] {UserDirectory.class},
            (self, method, arguments) -> {
              if (method.getName().equals(name)) {
                what.run();
              }
              try {
                return method.invoke(users, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void awaitIt(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private UserRecord user(String login, String hash) {
    users.create(new NewUser(new LoginName(login), hash, true, false, Set.of()));
    return find(login);
  }

  private UserRecord find(String login) {
    return users.find(new LoginName(login)).orElseThrow();
  }

  private static StoredHash parsed(UserRecord user) {
    return ((StoredHash.Parsed.Valid) StoredHash.parse(user.passwordHash(), 14)).hash();
  }

  private static int login(String login, String password) {
    return given()
        .contentType("application/json")
        .body(Map.of("login", login, "password", password))
        .post("/login")
        .statusCode();
  }
}
