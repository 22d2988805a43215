package dev.spillway.auth.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.Along;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every database must do when users change; one subclass for each. */
abstract class UserChangesContract extends UserDirectoryFixture {
  @Test
  void passwordSet_endsLegacy() {
    directory.create(new NewUser(ANN, "old", true, false, Set.of()));

    assertThat(directory.setPasswordHash(ANN, "new", Along.nothing())).isTrue();
    assertThat(directory.setPasswordHash(BOB, "new", Along.nothing())).isFalse();

    UserRecord ann = directory.find(ANN).orElseThrow();
    assertThat(ann.passwordHash()).isEqualTo("new");
    assertThat(ann.legacy()).isFalse();
  }

  @Test
  void passwordChangedSinceSeen_isNotReplaced() {
    directory.create(user(ANN, "old"));
    UserRecord seen = directory.find(ANN).orElseThrow();
    assertThat(directory.replacePasswordHash(seen, "upgraded")).isTrue();

    assertThat(directory.replacePasswordHash(seen, "again")).isFalse();

    assertThat(directory.find(ANN).orElseThrow().passwordHash()).isEqualTo("upgraded");
  }

  @Test
  void disabled_canBeSetAndLifted() {
    directory.create(user(ANN, "h"));

    assertThat(directory.setDisabled(ANN, true, Along.nothing())).isTrue();
    assertThat(directory.find(ANN).orElseThrow().disabled()).isTrue();
    assertThat(directory.setDisabled(ANN, false, Along.nothing())).isTrue();
    assertThat(directory.find(ANN).orElseThrow().disabled()).isFalse();
    assertThat(directory.setDisabled(BOB, true, Along.nothing())).isFalse();
  }

  @Test
  void epoch_endsWithWhatEndsSessionsAndWithNothingElse() {
    directory.create(user(ANN, "h"));
    directory.create(user(BOB, "h"));
    assertThat(epoch(ANN)).isZero();

    directory.setPasswordHash(ANN, "new", Along.nothing());
    assertThat(epoch(ANN)).isEqualTo(1);
    directory.setDisabled(ANN, true, Along.nothing());
    assertThat(epoch(ANN)).isEqualTo(2);
    assertThat(directory.endEpoch(ANN, Along.nothing())).isTrue();
    assertThat(epoch(ANN)).isEqualTo(3);

    directory.setDisabled(ANN, false, Along.nothing());
    directory.replacePasswordHash(directory.find(ANN).orElseThrow(), "same, made anew");
    assertThat(epoch(ANN)).isEqualTo(3);
    assertThat(epoch(BOB)).isZero();
    assertThat(directory.endEpoch(name("nobody"), Along.nothing())).isFalse();
  }

  private long epoch(LoginName login) {
    return directory.find(login).orElseThrow().epoch();
  }

  @Test
  void change_movesUpdatedAtOnly() {
    directory.create(user(ANN, "h"));
    sql(
        "UPDATE users SET created_at = created_at - INTERVAL '2' DAY,"
            + " updated_at = updated_at - INTERVAL '1' DAY");
    OffsetDateTime before = time("updated_at");
    OffsetDateTime created = time("created_at");

    directory.setPasswordHash(ANN, "new", Along.nothing());

    assertThat(time("updated_at")).isAfter(before);
    assertThat(time("created_at")).isEqualTo(created);
  }

  private OffsetDateTime time(String column) {
    return database.run(
        connection -> {
          try (Statement statement = connection.createStatement();
              var row = statement.executeQuery("SELECT " + column + " FROM users")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class);
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
  }
}
