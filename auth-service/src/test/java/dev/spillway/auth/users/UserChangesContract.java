package dev.spillway.auth.users;

import static dev.spillway.auth.users.UserDirectory.ChangeResult.DONE;
import static dev.spillway.auth.users.UserDirectory.ChangeResult.LAST_ADMIN;
import static dev.spillway.auth.users.UserDirectory.ChangeResult.NO_SUCH_USER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.users.UserDirectory.ChangeResult;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What every database must do when users change; one subclass for each. */
abstract class UserChangesContract extends UserDirectoryFixture {
  @Test
  void passwordSet_endsLegacy() {
    directory.create(new NewUser(ANN, "old", true, false, Set.of()));

    assertThat(directory.setPasswordHash(WhichUser.of(id(ANN)), "new", AddedRows.nothing()))
        .isEqualTo(DONE);
    assertThat(directory.setPasswordHash(WhichUser.of(id(BOB)), "new", AddedRows.nothing()))
        .isEqualTo(NO_SUCH_USER);

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

    assertThat(directory.setDisabled(WhichUser.of(id(ANN)), true, AddedRows.nothing()))
        .isEqualTo(DONE);
    assertThat(directory.find(ANN).orElseThrow().disabled()).isTrue();
    assertThat(directory.setDisabled(WhichUser.of(id(ANN)), false, AddedRows.nothing()))
        .isEqualTo(DONE);
    assertThat(directory.find(ANN).orElseThrow().disabled()).isFalse();
    assertThat(directory.setDisabled(WhichUser.of(id(BOB)), true, AddedRows.nothing()))
        .isEqualTo(NO_SUCH_USER);
  }

  @Test
  void epoch_endsWithWhatEndsSessionsAndWithNothingElse() {
    directory.create(user(ANN, "h"));
    directory.create(user(BOB, "h"));
    long first = epoch(ANN);
    long bobs = epoch(BOB);

    directory.setPasswordHash(WhichUser.of(id(ANN)), "new", AddedRows.nothing());
    assertThat(epoch(ANN)).isEqualTo(first + 1);
    directory.setDisabled(WhichUser.of(id(ANN)), true, AddedRows.nothing());
    assertThat(epoch(ANN)).isEqualTo(first + 2);
    assertThat(directory.endEpoch(WhichUser.of(id(ANN)), AddedRows.nothing())).isEqualTo(DONE);
    assertThat(epoch(ANN)).isEqualTo(first + 3);

    directory.setDisabled(WhichUser.of(id(ANN)), false, AddedRows.nothing());
    directory.replacePasswordHash(directory.find(ANN).orElseThrow(), "same, made anew");
    assertThat(epoch(ANN)).isEqualTo(first + 3);
    assertThat(epoch(BOB)).isEqualTo(bobs);
    assertThat(directory.endEpoch(WhichUser.of(id(name("nobody"))), AddedRows.nothing()))
        .isEqualTo(NO_SUCH_USER);
  }

  /** A6: of two who change what both have seen, one comes too late, whatever the change is. */
  @Test
  void a6_userInAnotherState_isLeftAsItIs() {
    directory.create(user(ANN, "h"));
    UserRecord seen = directory.find(ANN).orElseThrow();
    WhichUser unchanged = new WhichUser(seen.id(), now -> now.groups().equals(seen.groups()));
    assertThat(directory.setGroups(unchanged, Set.of("ops"), AddedRows.nothing())).isEqualTo(DONE);
    UserRecord changed = directory.find(ANN).orElseThrow();
    List<Function<WhichUser, ChangeResult>> changes =
        List.of(
            which -> directory.setGroups(which, Set.of("dev"), AddedRows.nothing()),
            which -> directory.setPasswordHash(which, "other", AddedRows.nothing()),
            which -> directory.setDisabled(which, true, AddedRows.nothing()),
            which -> directory.endEpoch(which, AddedRows.nothing()),
            which -> directory.delete(which, AddedRows.nothing()));
    for (Function<WhichUser, ChangeResult> change : changes) {
      assertThat(change.apply(unchanged)).isEqualTo(ChangeResult.OTHER_STATE);
      assertThat(directory.find(ANN)).contains(changed);
    }
  }

  /** A1: what a deleted user was granted is not the next one's of this login. */
  @Test
  void userMadeAgain_isInAnotherEpoch() {
    directory.create(user(ANN, "h"));
    long first = epoch(ANN);
    assertThat(directory.delete(WhichUser.of(id(ANN)), AddedRows.nothing())).isEqualTo(DONE);
    assertThat(directory.find(ANN)).isEmpty();
    assertThat(directory.delete(WhichUser.of(7), AddedRows.nothing())).isEqualTo(NO_SUCH_USER);

    directory.create(user(ANN, "h"));

    assertThat(epoch(ANN)).isNotEqualTo(first);
  }

  /** A2. */
  @Test
  void lastActiveAdmin_staysOne() {
    directory.create(admin(ANN));
    directory.create(user(BOB, "h"));
    directory.importAll(
        List.of(new NewUser(name("off"), "h", true, true, Set.of("admin"))), AddedRows.nothing());

    assertThat(directory.setDisabled(WhichUser.of(id(ANN)), true, AddedRows.nothing()))
        .isEqualTo(LAST_ADMIN);
    assertThat(directory.setGroups(WhichUser.of(id(ANN)), Set.of("ops"), AddedRows.nothing()))
        .isEqualTo(LAST_ADMIN);
    assertThat(directory.delete(WhichUser.of(id(ANN)), AddedRows.nothing())).isEqualTo(LAST_ADMIN);
    assertThat(directory.find(ANN).orElseThrow().isActiveAdmin()).isTrue();

    assertThat(
            directory.setGroups(WhichUser.of(id(BOB)), Set.of("admin", "ops"), AddedRows.nothing()))
        .isEqualTo(DONE);
    assertThat(directory.setGroups(WhichUser.of(id(ANN)), Set.of("ops"), AddedRows.nothing()))
        .isEqualTo(DONE);
    assertThat(directory.find(ANN).orElseThrow().groups()).containsExactly("ops");
    assertThat(directory.setDisabled(WhichUser.of(id(BOB)), true, AddedRows.nothing()))
        .isEqualTo(LAST_ADMIN);
    assertThat(directory.setDisabled(WhichUser.of(id(name("off"))), false, AddedRows.nothing()))
        .isEqualTo(DONE);
    assertThat(directory.delete(WhichUser.of(id(BOB)), AddedRows.nothing())).isEqualTo(DONE);
    assertThat(directory.delete(WhichUser.of(id(name("off"))), AddedRows.nothing()))
        .isEqualTo(LAST_ADMIN);
  }

  /** A2: of two who take each other away, the second is refused. */
  @Test
  void adminsWhoDisableEachOther_leaveOne() throws Exception {
    for (int round = 0; round < 20; round++) {
      sql("DELETE FROM users");
      directory.create(admin(ANN));
      directory.create(admin(BOB));
      List<Long> ids = List.of(id(ANN), id(BOB));
      CyclicBarrier start = new CyclicBarrier(ids.size());
      try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<ChangeResult>> results =
            both.invokeAll(
                ids.stream()
                    .<Callable<ChangeResult>>map(
                        id ->
                            () -> {
                              start.await();
                              return directory.setDisabled(
                                  WhichUser.of(id), true, AddedRows.nothing());
                            })
                    .toList());
        List<ChangeResult> ended = List.of(results.get(0).get(), results.get(1).get());
        assertThat(ended).containsExactlyInAnyOrder(DONE, LAST_ADMIN);
      }
    }
  }

  private static NewUser admin(LoginName login) {
    return new NewUser(login, "h", false, false, Set.of("admin"));
  }

  /** 0 for nobody's. */
  private long id(LoginName login) {
    return directory.find(login).map(UserRecord::id).orElse(0L);
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

    directory.setPasswordHash(WhichUser.of(id(ANN)), "new", AddedRows.nothing());

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
