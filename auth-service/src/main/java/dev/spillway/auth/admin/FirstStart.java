package dev.spillway.auth.admin;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.hashing.PasswordForms;
import dev.spillway.auth.passwords.BreachedPasswords;
import dev.spillway.auth.users.GroupNames;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import dev.spillway.auth.users.WhichUser;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Creates the first admin in an empty database, gives one back to an operator who has none left,
 * and creates in development a user to try with.
 */
@ApplicationScoped
class FirstStart {
  static final String ADMIN_GROUP = GroupNames.ADMIN;
  private static final String DEMO_LOGIN = "demo";
  private static final String DEMO_PASSWORD = "demo-password";
  private static final Logger LOG = Logger.getLogger(FirstStart.class);

  private final BootstrapConfig config;
  private final UserDirectory users;
  private final Hashing hashing;
  private final BreachedPasswords breached;

  FirstStart(
      BootstrapConfig config, UserDirectory users, Hashing hashing, BreachedPasswords breached) {
    this.config = config;
    this.users = users;
    this.hashing = hashing;
    this.breached = breached;
  }

  void start(@Observes StartupEvent event) {
    if (config.resetAdmin() || users.isEmpty()) {
      giveAdmin();
    }
    if (config.demoUser() && create(DEMO_LOGIN, DEMO_PASSWORD, Set.of())) {
      LOG.warnf("Created the user %s with a password everybody knows", DEMO_LOGIN);
    }
  }

  private void giveAdmin() {
    config.adminPassword().ifPresent(this::refuseBreached);
    String password = config.adminPassword().orElseGet(FirstStart::generated);
    if (!create(config.adminLogin(), password, Set.of(ADMIN_GROUP))) {
      if (!config.resetAdmin()) {
        return; // another instance was faster
      }
      reset(users.find(name(config.adminLogin())).orElseThrow(), password);
    }
    if (config.resetAdmin()) {
      LOG.warnf(
          "spillway.bootstrap.reset-admin is on: %s is an admin with a new password after each start",
          config.adminLogin());
    }
    if (config.adminPassword().isEmpty()) {
      // Not through the logger: logs are kept, shipped and read by others.
      System.out.printf(
          "%n  The admin \"%s\" has the password%n%n      %s%n%n"
              + "  It is shown this once and kept nowhere.%n%n",
          config.adminLogin(), password);
    }
  }

  private void reset(UserRecord user, String password) {
    Set<String> groups = new TreeSet<>(user.groups());
    groups.add(ADMIN_GROUP);
    WhichUser which = WhichUser.of(user.id());
    users.setPasswordHash(which, hash(password), AddedRows.nothing());
    users.setGroups(which, groups, AddedRows.nothing());
    users.setDisabled(which, false, AddedRows.nothing());
  }

  private void refuseBreached(String password) {
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    try (PasswordForms forms = PasswordForms.of(bytes)) {
      if (breached.contains(forms)) {
        throw new IllegalArgumentException(
            "spillway.bootstrap.admin-password is in spillway.passwords.breached-file");
      }
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** False if the login is taken. */
  private boolean create(String login, String password, Set<String> groups) {
    LoginName name = name(login);
    return users.find(name).isEmpty()
        && users.create(new NewUser(name, hash(password), false, false, groups));
  }

  private static LoginName name(String login) {
    return LoginName.parse(login)
        .orElseThrow(
            () -> new IllegalArgumentException("spillway.bootstrap.admin-login " + LoginName.RULE));
  }

  private String hash(String password) {
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    try (PasswordForms forms = PasswordForms.of(bytes)) {
      PasswordFault.of(forms.nfc())
          .ifPresent(
              fault -> {
                throw new IllegalArgumentException(
                    "spillway.bootstrap.admin-password " + fault.message());
              });
      return switch (hashing.create(forms.nfc(), Deadline.in(Duration.ofMinutes(1)))) {
        case HashAnswer.Computed(var hash, var path) -> hash.encoded();
        case HashAnswer.Shed(var retryAfter) ->
            throw new IllegalStateException("the first password could not be hashed in a minute");
        case HashAnswer.Gone(var begun) ->
            throw new IllegalStateException("interrupted while starting");
      };
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** 144 random bits. */
  private static String generated() {
    byte[] bytes = new byte[18];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
