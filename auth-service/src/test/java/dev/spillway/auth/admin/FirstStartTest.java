package dev.spillway.auth.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.CapturedLog;
import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.passwords.BreachedPasswords;
import dev.spillway.auth.passwords.Lists;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.hashing.Hashing;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.crypto.bcrypt.BCrypt;

/** Whom a start with an empty directory creates, and what it tells. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class FirstStartTest {
  private static final Pattern SHOWN = Pattern.compile("\\s{6}([A-Za-z0-9_-]{24})\\s");

  @Inject Hashing hashing;
  @Inject BreachedPasswords none;
  @Inject UserDirectory directory;

  private final RememberedUsers users = new RememberedUsers();

  @Test
  void configuredPassword_isTheAdminsAndIsNotShown() {
    Told told = start(new Config("Boss", Optional.of("configured-password"), false));

    NewUser admin = only();
    assertThat(admin.login().text()).isEqualTo("boss");
    assertThat(admin.groups()).containsExactly("admin");
    assertThat(admin.legacy()).isFalse();
    assertThat(admin.disabled()).isFalse();
    assertThat(BCrypt.checkpw("configured-password", admin.passwordHash())).isTrue();
    assertThat(told.out()).doesNotContain("configured-password");
    assertThat(told.log()).noneMatch(line -> line.contains("configured-password"));
  }

  @Test
  void generatedPassword_isShownOnceOnStandardOutputOnly() {
    Told told = start(new Config("admin", Optional.empty(), false));

    Matcher shown = SHOWN.matcher(told.out());
    assertThat(shown.find()).isTrue();
    String password = shown.group(1);
    assertThat(shown.find()).isFalse();
    assertThat(BCrypt.checkpw(password, only().passwordHash())).isTrue();
    assertThat(told.log()).noneMatch(line -> line.contains(password));
  }

  @Test
  void generatedPassword_isAnotherEachTime() {
    Told one = start(new Config("admin", Optional.empty(), false));
    users.created.clear();
    Told other = start(new Config("admin", Optional.empty(), false));
    assertThat(one.out()).isNotEqualTo(other.out());
  }

  @Test
  void secondStart_createsAndShowsNothing() {
    start(new Config("admin", Optional.empty(), true));
    List<NewUser> before = List.copyOf(users.created);
    Told told = start(new Config("other-admin", Optional.empty(), true));
    assertThat(users.created).isEqualTo(before);
    assertThat(told.out()).isEmpty();
  }

  /** Of two instances that start at once one is told that the login is taken. */
  @Test
  void slowerOfTwoInstances_showsNoPassword() {
    users.taken = true;
    Told told = start(new Config("admin", Optional.empty(), false));
    assertThat(told.out()).isEmpty();
  }

  /** A2: the way back in. */
  @Test
  void resetAdmin_isOneAgainWithANewPassword() {
    LoginName boss = new LoginName("boss");
    directory.create(new NewUser(boss, "", true, true, Set.of("ops")));
    UserRecord before = directory.find(boss).orElseThrow();
    Told told = start(new Config("boss", Optional.empty(), false, true), directory, none);

    Matcher shown = SHOWN.matcher(told.out());
    assertThat(shown.find()).isTrue();
    UserRecord after = directory.find(boss).orElseThrow();
    assertThat(BCrypt.checkpw(shown.group(1), after.passwordHash())).isTrue();
    assertThat(after.groups()).containsExactlyInAnyOrder("admin", "ops");
    assertThat(after.disabled()).isFalse();
    assertThat(after.epoch()).isGreaterThan(before.epoch());
    assertThat(told.log()).anyMatch(line -> line.contains("spillway.bootstrap.reset-admin"));
    directory.delete(WhichUser.of(after.id()), AddedRows.nothing());
  }

  /** A2: the one who was deleted, too. */
  @Test
  void resetAdmin_isMadeWhereThereIsNone() {
    Told told = start(new Config("new-boss", Optional.of("given"), false, true), directory, none);
    UserRecord made = directory.find(new LoginName("new-boss")).orElseThrow();
    assertThat(made.isActiveAdmin()).isTrue();
    assertThat(told.out()).isEmpty();
    directory.delete(WhichUser.of(made.id()), AddedRows.nothing());
  }

  @Test
  void demoUser_isCreatedOnRequestOnlyAndIsNoAdmin() {
    Told told = start(new Config("admin", Optional.of("p"), true));
    assertThat(users.created).hasSize(2);
    NewUser demo = users.created.getLast();
    assertThat(demo.login().text()).isEqualTo("demo");
    assertThat(demo.groups()).isEmpty();
    assertThat(told.log()).anyMatch(line -> line.contains("password everybody knows"));
  }

  @Test
  void unusableConfiguration_endsTheStartNamingTheKey() {
    for (String password : new String[] {"", "a".repeat(73), "a\u0000"}) {
      assertThatThrownBy(() -> start(new Config("admin", Optional.of(password), false)))
          .hasMessageContaining("spillway.bootstrap.admin-password must");
    }
    for (String login : new String[] {"", "a\n", "a".repeat(255)}) {
      assertThatThrownBy(() -> start(new Config(login, Optional.of("p"), false)))
          .hasMessageContaining("spillway.bootstrap.admin-login must");
    }
    assertThat(users.created).isEmpty();
  }

  @Test
  void breachedPassword_endsTheStartNamingTheKey(@TempDir Path directory) throws IOException {
    BreachedPasswords listed = Lists.of(directory, "hunter2", "demo-password");
    Config config = new Config("admin", Optional.of("hunter2"), true);
    assertThatThrownBy(() -> start(config, listed))
        .hasMessageContaining("spillway.bootstrap.admin-password")
        .hasMessageNotContaining("hunter2");
    assertThat(users.created).isEmpty();
    start(new Config("admin", Optional.of("hunter3"), true), listed);
    assertThat(users.created).hasSize(2);
  }

  private NewUser only() {
    assertThat(users.created).hasSize(1);
    return users.created.getFirst();
  }

  private Told start(BootstrapConfig config) {
    return start(config, none);
  }

  private Told start(BootstrapConfig config, BreachedPasswords breached) {
    return start(config, users, breached);
  }

  private Told start(BootstrapConfig config, UserDirectory users, BreachedPasswords breached) {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (CapturedLog log = CapturedLog.from(Level.ALL)) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      new FirstStart(config, users, hashing, breached).start(new StartupEvent());
      return new Told(printed.toString(StandardCharsets.UTF_8), log.lines());
    } finally {
      System.setOut(out);
    }
  }

  private record Told(String out, List<String> log) {}

  private record Config(
      String adminLogin, Optional<String> adminPassword, boolean demoUser, boolean resetAdmin)
      implements BootstrapConfig {
    Config(String adminLogin, Optional<String> adminPassword, boolean demoUser) {
      this(adminLogin, adminPassword, demoUser, false);
    }
  }
}
