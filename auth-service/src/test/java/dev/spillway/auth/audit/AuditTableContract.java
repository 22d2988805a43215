package dev.spillway.auth.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.audit.AuditEvent.Action;
import dev.spillway.auth.database.Database;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every database must do for the audit log; one subclass for each. */
abstract class AuditTableContract {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123Z");
  private static final String NETWORK = "2001:db8::/64";

  private final AccountNames names = AccountNames.of(ConfigText.read(AuditConfig.class));
  private AuditTable table;
  private AuditWriter writer;
  private Instant now = NOON;

  abstract DataSource dataSource();

  @BeforeEach
  void migrateAndEmpty() throws Exception {
    Flyway.configure().dataSource(dataSource()).load().migrate();
    try (var connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM audit_log");
    }
    table = new AuditTable(new Database(dataSource()));
    writer =
        new AuditWriter(
            10_000,
            names,
            table::add,
            entry -> {},
            new AuditMeters(new SimpleMeterRegistry()),
            () -> now);
  }

  @Test
  void entry_isReadAsItWasWritten() {
    writer.add(
        new AuditEvent(
            Action.SET_PASSWORD, "änne", true, "root", NETWORK, "done", AuditEvent.Path.NONE));
    writer.write();
    List<AuditEntry> all = all();
    assertThat(all).hasSize(1);
    AuditEntry entry = all.getFirst();
    assertThat(entry.id()).isPositive();
    assertThat(entry)
        .isEqualTo(
            new AuditEntry(
                entry.id(),
                "2026-01-31T12:00:00.123Z",
                "set_password",
                "änne",
                null,
                "root",
                NETWORK,
                "done",
                "none",
                1));
  }

  @Test
  void nobodyNamed_isNull() {
    writer.add(AuditEvent.of(Action.REFRESH, null, NETWORK, "unknown"));
    writer.write();
    assertThat(all().getFirst().login()).isNull();
    assertThat(all().getFirst().loginHmac()).isNull();
    assertThat(all().getFirst().by()).isNull();
  }

  @Test
  void pages_goThroughAllInTheirOrder() {
    for (int i = 0; i < 1_234; i++) {
      writer.add(wrong("u" + i));
    }
    writer.write();
    long after = 0;
    int seen = 0;
    List<AuditEntry> page;
    while (!(page = list(filter(Optional.empty(), Instant.EPOCH), after, 100)).isEmpty()) {
      for (AuditEntry entry : page) {
        assertThat(entry.login()).isEqualTo("u" + seen++);
      }
      after = page.getLast().id();
    }
    assertThat(seen).isEqualTo(1_234);
  }

  @Test
  void account_isFoundByEitherOfItsNames() {
    writer.add(wrong("ann"));
    writer.add(wrong("bob"));
    writer.add(
        new AuditEvent(
            Action.LOGIN, "ann", false, null, NETWORK, "no_such_user", AuditEvent.Path.SPILL));
    writer.write();
    assertThat(of("ann"))
        .extracting(AuditEntry::outcome)
        .containsExactly("wrong_password", "no_such_user");
    assertThat(of("carl")).isEmpty();
  }

  @Test
  void filters_meetAll() {
    for (String login : List.of("ann", "bob", "ann")) {
      writer.add(wrong(login));
      writer.write();
      now = now.plus(Duration.ofSeconds(1));
    }
    Optional<Instant> secondSecond = Optional.of(NOON.plus(Duration.ofSeconds(2)));
    Optional<String> wrong = Optional.of("wrong_password");
    Optional<String> here = Optional.of(NETWORK);
    Optional<String> ann = Optional.of("ann");
    assertThat(list(new AuditFilter(ann, NOON, secondSecond, wrong, here), 0, 10)).hasSize(1);
    assertThat(list(new AuditFilter(ann, NOON, Optional.empty(), wrong, here), 0, 10)).hasSize(2);
    assertThat(list(new AuditFilter(ann, NOON, secondSecond, Optional.of("shed"), here), 0, 10))
        .isEmpty();
    assertThat(list(new AuditFilter(ann, NOON, secondSecond, wrong, Optional.of("::/0")), 0, 10))
        .isEmpty();
  }

  @Test
  void older_areNotShownAndDeletedInBatches() {
    for (int i = 0; i < 10; i++) {
      writer.add(wrong("u" + i));
      now = now.plus(Duration.ofSeconds(1));
    }
    writer.write();
    Instant fifth = NOON.plus(Duration.ofSeconds(4));
    assertThat(list(filter(Optional.empty(), fifth), 0, 100)).hasSize(6);
    assertThat(table.deleteBefore(fifth, 3)).isEqualTo(3);
    assertThat(all()).extracting(AuditEntry::login).startsWith("u3");
    assertThat(table.deleteBefore(fifth, 3)).isEqualTo(1);
    assertThat(table.deleteBefore(fifth, 3)).isZero();
    assertThat(all()).extracting(AuditEntry::login).startsWith("u4").hasSize(6);
  }

  private List<AuditEntry> all() {
    return list(filter(Optional.empty(), Instant.EPOCH), 0, 10_000);
  }

  private List<AuditEntry> of(String login) {
    return list(filter(Optional.of(login), Instant.EPOCH), 0, 100);
  }

  private static AuditFilter filter(Optional<String> login, Instant since) {
    return new AuditFilter(login, since, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private List<AuditEntry> list(AuditFilter filter, long after, int limit) {
    return table.list(
        filter, login -> new AuditTable.Names(login, names.keyed(login)), after, limit);
  }

  private static AuditEvent wrong(String login) {
    return new AuditEvent(
        Action.LOGIN, login, true, null, NETWORK, "wrong_password", AuditEvent.Path.POOL);
  }
}
