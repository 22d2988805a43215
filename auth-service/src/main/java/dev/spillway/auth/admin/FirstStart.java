package dev.spillway.auth.admin;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.auth.hashing.Hashing;
import dev.spillway.auth.hashing.NewHash;
import dev.spillway.auth.hashing.PasswordFault;
import dev.spillway.auth.hashing.PasswordForms;
import dev.spillway.auth.passwords.BreachedPasswords;
import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.NewUser;
import dev.spillway.auth.users.UserDirectory;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import org.jboss.logging.Logger;

/** Creates the first admin in an empty database, and in development a user to try with. */
@ApplicationScoped
class FirstStart {
  static final String ADMIN_GROUP = "admin";
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
    if (users.isEmpty()) {
      createAdmin();
    }
    if (config.demoUser()
        && users.find(LoginName.parse(DEMO_LOGIN).orElseThrow()).isEmpty()
        && create(DEMO_LOGIN, DEMO_PASSWORD, Set.of())) {
      LOG.warnf("Created the user %s with a password everybody knows", DEMO_LOGIN);
    }
  }

  private void createAdmin() {
    config.adminPassword().ifPresent(this::refuseBreached);
    String password = config.adminPassword().orElseGet(FirstStart::generated);
    boolean created = create(config.adminLogin(), password, Set.of(ADMIN_GROUP));
    if (created && config.adminPassword().isEmpty()) {
      // Not through the logger: logs are kept, shipped and read by others.
      System.out.printf(
          "%n  First start: created the admin \"%s\" with the password%n%n      %s%n%n"
              + "  It is shown this once and kept nowhere.%n%n",
          config.adminLogin(), password);
    }
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

  /** False if another instance was faster. */
  private boolean create(String login, String password, Set<String> groups) {
    LoginName name =
        LoginName.parse(login)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "spillway.bootstrap.admin-login " + LoginName.RULE));
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    try (PasswordForms forms = PasswordForms.of(bytes)) {
      PasswordFault.of(forms.nfc())
          .ifPresent(
              fault -> {
                throw new IllegalArgumentException(
                    "spillway.bootstrap.admin-password " + fault.message());
              });
      return switch (hashing.create(forms.nfc(), Deadline.in(Duration.ofMinutes(1)))) {
        case NewHash.Made(var hash) ->
            users.create(new NewUser(name, hash.encoded(), false, false, groups));
        case NewHash.Shed shed ->
            throw new IllegalStateException("the first password could not be hashed in a minute");
        case NewHash.Gone() -> throw new IllegalStateException("interrupted while starting");
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
