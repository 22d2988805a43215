package dev.spillway.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.core.bcrypt.ParsedHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** E2 to E4: an unknown login must not be told from a known one by what its hash costs. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class DecoysTest {
  private static final Map<String, Long> USERS =
      Map.of("$2b$12$", 6_000L, "$2y$10$", 2_000L, "$2a$10$", 1_000L, "$2x$10$", 500L, "", 500L);

  private final HashingConfig config = new Config();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Inject UserDirectory directory;
  @Inject Decoys live;

  @Test
  void decoys_costWhatTheUsersHashesCost_inTheSameProportion() {
    Decoys decoys = decoys(() -> USERS);
    assertThat(share(decoys, 10)).isCloseTo(3 / 9.0, within(0.05));
    assertThat(share(decoys, 12)).isCloseTo(6 / 9.0, within(0.05));
  }

  /** E2: an unknown login is held against hashes of all the kinds that users have. */
  @Test
  void decoys_areOfTheKindsThatUsersHave() {
    String scrypt = "$scrypt$ln=4,r=8,p=1,l=64$";
    String argon2 = "$argon2id$v=19$m=64,t=1,p=1,l=32$";
    String tooMuch = "$argon2id$v=19$m=999999,t=1,p=1,l=32$";
    Decoys decoys =
        decoys(() -> Map.of("$2b$12$", 500L, scrypt, 250L, argon2, 250L, tooMuch, 9_000L));
    Map<String, Long> kinds =
        IntStream.range(0, 2_000)
            .mapToObj(i -> decoys.forLogin("nobody-" + i).encoded())
            .collect(
                Collectors.groupingBy(
                    hash -> hash.substring(0, Math.min(7, hash.length())), Collectors.counting()));
    assertThat(kinds).containsOnlyKeys("$2b$12$", scrypt.substring(0, 7), argon2.substring(0, 7));
    assertThat(kinds.get("$2b$12$") / 2_000.0).isCloseTo(0.5, within(0.05));
  }

  @Test
  void oneLogin_isHeldAgainstTheSameDecoyEachTime() {
    Decoys decoys = decoys(() -> USERS);
    assertThat(decoys.forLogin("nobody")).isSameAs(decoys.forLogin("nobody"));
    assertThat(ParsedHash.of(decoys.forLogin("nobody").encoded(), 15))
        .isInstanceOf(ParsedHash.Valid.class);
  }

  /** E2. */
  @Test
  void twoInstances_chooseTheSameCost() {
    Decoys one = decoys(() -> USERS);
    Decoys other = decoys(() -> USERS);
    assertThat(names()).allMatch(name -> cost(one, name) == cost(other, name));
  }

  /** A login whose cost changes with the number of users is the login of nobody. */
  @Test
  void oneUserMore_leavesLoginsTheirCost() {
    Map<String, Long> more = new HashMap<>(USERS);
    more.merge("$2b$12$", 1L, Long::sum);
    Decoys before = decoys(() -> USERS);
    Decoys after = decoys(() -> more);
    assertThat(names().filter(name -> cost(before, name) != cost(after, name))).hasSizeLessThan(10);
  }

  @Test
  void withoutUsers_theConfiguredCostStays() {
    assertThat(share(decoys(Map::of), 12)).isEqualTo(1);
  }

  /** E3: no defence switches itself off unseen. */
  @Test
  void withoutAnAnswer_theLastCostsStay_withAWarning() {
    boolean[] down = {false};
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      Decoys decoys =
          decoys(
              () -> {
                if (down[0]) {
                  throw new IllegalStateException("database down");
                }
                return USERS;
              });
      down[0] = true;
      await()
          .untilAsserted(
              () -> assertThat(log.lines()).anyMatch(line -> line.contains("costs of users")));
      assertThat(share(decoys, 12)).isCloseTo(6 / 9.0, within(0.05));
      assertThat(meters.get("spillway.login.decoys.age").timeGauge().value(TimeUnit.NANOSECONDS))
          .isPositive();
      decoys.stop(new ShutdownEvent());
    }
  }

  /** E4: without a clock of minutes between an import and the decoys that look like it. */
  @Test
  void imported_areLookedLikeAtOnce() {
    int cost = 13;
    long users = directory.countByHashHead().values().stream().mapToLong(n -> n).sum();
    int imported = (int) users + 100;
    String hash =
        "$2a$%02d$".formatted(cost) + "abcdefghijklmnopqrstuuHQdVGVVK4ZwTVtXXdyQYn1wqm9RQYtq";
    directory.importAll(
        IntStream.range(0, imported)
            .mapToObj(i -> new NewUser(new LoginName("e4-" + i), hash, true, false, Set.of()))
            .toList(),
        AddedRows.nothing());
    await().untilAsserted(() -> assertThat(share(live, cost)).isGreaterThan(0.4));
    for (int i = 0; i < imported; i++) {
      long id = directory.find(new LoginName("e4-" + i)).orElseThrow().id();
      directory.delete(WhichUser.of(id), AddedRows.nothing());
    }
    await().untilAsserted(() -> assertThat(share(live, cost)).isLessThan(0.4));
  }

  private Decoys decoys(Supplier<Map<String, Long>> counts) {
    Decoys decoys = new Decoys(directory::decoyKey, counts, config, meters);
    decoys.start(new StartupEvent());
    return decoys;
  }

  private static Stream<String> names() {
    return IntStream.range(0, 10_000).mapToObj(i -> "nobody-" + i);
  }

  private static int cost(Decoys decoys, String name) {
    return decoys.forLogin(name).cost();
  }

  /** By chance it is off by 0.05, ten standard deviations, once in 10^25. */
  private static double share(Decoys decoys, int cost) {
    return IntStream.range(0, 10_000)
            .filter(i -> decoys.forLogin("nobody-" + i).cost() == cost)
            .count()
        / 10_000.0;
  }

  private record Config() implements HashingConfig {
    @Override
    public int cost() {
      return 12;
    }

    @Override
    public int maxCost() {
      return 15;
    }

    @Override
    public boolean rehash() {
      return true;
    }

    @Override
    public Duration deadline() {
      return Duration.ofSeconds(5);
    }

    @Override
    public boolean truncateForLegacy() {
      return false;
    }
  }
}
