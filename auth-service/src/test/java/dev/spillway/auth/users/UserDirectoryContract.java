package dev.spillway.auth.users;

import static dev.spillway.auth.users.UserDirectory.ChangeResult.NO_SUCH_USER;
import static dev.spillway.auth.users.UserDirectory.ImportResult.CREATED;
import static dev.spillway.auth.users.UserDirectory.ImportResult.EXISTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Beside;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.DatabaseUnavailable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every database must do for the directory; one subclass for each. */
abstract class UserDirectoryContract extends UserDirectoryFixture {
  @Test
  void created_isFoundAsItWas() {
    assertThat(directory.create(new NewUser(ANN, "h", true, true, Set.of("b", "a")))).isTrue();

    assertThat(directory.find(ANN))
        .hasValueSatisfying(
            user -> {
              assertThat(user.login()).isEqualTo(ANN);
              assertThat(user.passwordHash()).isEqualTo("h");
              assertThat(user.legacy()).isTrue();
              assertThat(user.disabled()).isTrue();
              assertThat(user.groups()).containsExactlyInAnyOrder("a", "b");
            });
    assertThat(directory.find(BOB)).isEmpty();
  }

  /** A look-up brings rows of another table, whether there is a user or not. */
  @Test
  void find_bringsWhatStandsBeside() {
    directory.create(new NewUser(ANN, "h", false, false, Set.of("a")));
    directory.create(new NewUser(BOB, "i", false, false, Set.of()));
    for (LoginName login : List.of(ANN, name("nobody"))) {
      List<String> hashes = new ArrayList<>();
      Optional<UserRecord> user = directory.find(login, otherUsers("h", "i", hashes));
      assertThat(hashes).containsExactlyInAnyOrder("h", "i");
      assertThat(user).isEqualTo(directory.find(login));
      hashes.clear();
      assertThat(directory.find(login, otherUsers("x", "y", hashes)))
          .isEqualTo(directory.find(login));
      assertThat(hashes).isEmpty();
    }
  }

  private static Beside otherUsers(String hash, String orHash, List<String> hashes) {
    return new Beside() {
      @Override
      public String columns() {
        return ", other.other_hash";
      }

      @Override
      public String join() {
        return "LEFT JOIN (SELECT password_hash AS other_hash FROM users) other"
            + " ON other.other_hash IN (?, ?)";
      }

      @Override
      public void bind(PreparedStatement query, int from) throws SQLException {
        query.setString(from, hash);
        query.setString(from + 1, orHash);
      }

      @Override
      public void row(ResultSet row) throws SQLException {
        if (row.getString("other_hash") != null) {
          hashes.add(row.getString("other_hash"));
        }
      }
    };
  }

  @Test
  void countByHashHead_countsUsersByAlgorithmAndParameters() {
    directory.create(new NewUser(ANN, "$2b$12$one", false, false, Set.of()));
    directory.create(new NewUser(BOB, "$2b$12$two", false, false, Set.of()));
    directory.create(new NewUser(name("carl"), "$2y$10$one", true, false, Set.of()));
    directory.create(new NewUser(name("dora"), "", true, false, Set.of()));
    String argon2 = "$argon2id$v=19$m=65536,t=3,p=4,l=32$";
    directory.create(new NewUser(name("emil"), argon2 + "salt$key", true, false, Set.of()));

    assertThat(directory.countByHashHead())
        .containsOnly(
            Map.entry("$2b$12$", 2L),
            Map.entry("$2y$10$", 1L),
            Map.entry(argon2, 1L),
            Map.entry("", 1L));
  }

  /** E3: what is derived from the table follows its writers. */
  @Test
  void countByHashHead_followsEveryChange() {
    directory.importAll(
        List.of(
            new NewUser(ANN, "$2a$06$one", true, false, Set.of()),
            new NewUser(ANN, "$2a$07$taken", true, false, Set.of()),
            new NewUser(BOB, "{bcrypt}", true, false, Set.of())),
        AddedRows.nothing());
    assertThat(directory.countByHashHead()).isEqualTo(Map.of("$2a$06$", 1L, "", 1L));

    UserRecord ann = directory.find(ANN).orElseThrow();
    assertThat(directory.replacePasswordHash(ann, "$2b$12$two")).isTrue();
    assertThat(directory.replacePasswordHash(ann, "$2b$12$late")).isFalse();
    assertThat(directory.countByHashHead()).isEqualTo(Map.of("$2b$12$", 1L, "", 1L));

    directory.setPasswordHash(WhichUser.of(ann.id()), "$2b$10$three", AddedRows.nothing());
    assertThat(directory.countByHashHead()).isEqualTo(Map.of("$2b$10$", 1L, "", 1L));

    directory.delete(WhichUser.of(directory.find(BOB).orElseThrow().id()), AddedRows.nothing());
    assertThat(directory.countByHashHead()).isEqualTo(Map.of("$2b$10$", 1L));
  }

  /** A4: one row by another hand does not hide the others. */
  @Test
  void rowsByAnotherHand_areShownAndDeleted() {
    directory.create(user(ANN, "h"));
    for (String values :
        List.of("'Bob', 'b b'", "'e\u0301ve', ' admin  ops '", "'x' || CHR(7), ''", "'', 'b'")) {
      sql(
          "INSERT INTO users (login, group_names, password_hash, legacy, disabled, created_at,"
              + " updated_at) VALUES (%s, '', FALSE, FALSE, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)"
                  .formatted(values));
    }
    List<UserRecord> all = directory.list(0, 10);
    assertThat(all.stream().map(user -> user.login().text()))
        .containsExactly("ann", "bob", "\u00e9ve", "x\ufffd", "\ufffd");
    assertThat(all.get(1).groups()).containsExactly("b");
    assertThat(all.get(2).groups()).containsExactlyInAnyOrder("admin", "ops");
    for (UserRecord user : all) {
      assertThat(directory.delete(WhichUser.of(user.id()), AddedRows.nothing()))
          .isNotEqualTo(NO_SUCH_USER);
    }
  }

  /** E2: for every caller at any time. */
  @Test
  void decoyKey_isTheSameForAll() {
    assertThat(directory.decoyKey()).hasSize(32);
    assertThat(new SqlUserDirectory(new Database(dataSource())).decoyKey())
        .isEqualTo(directory.decoyKey());
  }

  @Test
  void largestValues_fit() {
    LoginName longest = name("\ud801\udc28".repeat(LoginName.MAX_LENGTH / 2));
    String hash = "é".repeat(UserRecord.MAX_HASH_LENGTH);
    List<String> groups =
        IntStream.range(0, GroupNames.MAX_COUNT)
            .mapToObj(i -> "%02d".formatted(i) + "g".repeat(GroupNames.MAX_LENGTH - 2))
            .toList();

    directory.create(new NewUser(longest, hash, false, false, Set.copyOf(groups)));

    assertThat(directory.find(longest))
        .hasValueSatisfying(
            user -> {
              assertThat(user.passwordHash()).isEqualTo(hash);
              assertThat(user.groups()).containsExactlyInAnyOrderElementsOf(groups);
            });
  }

  @Test
  void hashThatIsNoHash_isKeptLetterForLetter() {
    for (String odd : List.of("", " ", "{SSHA}x==", "it's \"quoted\" \\ \n\t", "\ud83d\ude80")) {
      LoginName login = name("odd" + odd.length() + odd.hashCode());
      directory.create(new NewUser(login, odd, true, false, Set.of()));
      assertThat(directory.find(login).orElseThrow().passwordHash()).isEqualTo(odd);
    }
  }

  @Test
  void takenLogin_isNotCreatedAgain() {
    assertThat(directory.create(user(ANN, "first"))).isTrue();
    assertThat(directory.create(user(ANN, "second"))).isFalse();

    assertThat(directory.find(ANN).orElseThrow().passwordHash()).isEqualTo("first");
  }

  @Test
  void createdByManyAtOnce_isCreatedOnce() throws Exception {
    int callers = 6;
    CyclicBarrier start = new CyclicBarrier(callers);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var done =
          IntStream.range(0, callers)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            start.await();
                            return directory.create(user(ANN, "by " + i));
                          }))
              .toList();
      int created = 0;
      for (var caller : done) {
        created += caller.get() ? 1 : 0;
      }
      assertThat(created).isEqualTo(1);
    }
  }

  @Test
  void user_isFoundByItsId() {
    directory.create(user(ANN, "h"));
    UserRecord ann = directory.find(ANN).orElseThrow();

    assertThat(directory.find(ann.id())).contains(ann);
    assertThat(directory.find(ann.id() + 1)).isEmpty();
  }

  @Test
  void emptiness_isSeen() {
    assertThat(directory.isEmpty()).isTrue();
    directory.create(user(ANN, "h"));
    assertThat(directory.isEmpty()).isFalse();
  }

  @Test
  void imported_reportsEachRowAndOverwritesNone() {
    directory.create(user(BOB, "kept"));

    assertThat(
            directory.importAll(
                List.of(user(ANN, "1"), user(BOB, "2"), user(ANN, "3")), AddedRows.nothing()))
        .containsExactly(CREATED, EXISTS, EXISTS);

    assertThat(directory.find(ANN).orElseThrow().passwordHash()).isEqualTo("1");
    assertThat(directory.find(BOB).orElseThrow().passwordHash()).isEqualTo("kept");
    assertThat(directory.importAll(List.of(), AddedRows.nothing())).isEmpty();
  }

  @Test
  void importsOfTheSameUsersAtOnce_createEachOnce() throws Exception {
    List<NewUser> users =
        IntStream.range(0, 200).mapToObj(i -> user(name("user" + i), "h")).toList();
    CyclicBarrier start = new CyclicBarrier(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var upwards =
          threads.submit(
              () -> {
                start.await();
                return directory.importAll(users, AddedRows.nothing());
              });
      var downwards =
          threads.submit(
              () -> {
                start.await();
                return directory.importAll(users.reversed(), AddedRows.nothing());
              });
      List<UserDirectory.ImportResult> other = downwards.get().reversed();
      for (int i = 0; i < users.size(); i++) {
        assertThat(Set.of(upwards.get().get(i), other.get(i))).hasSize(2);
      }
    }
    assertThat(directory.list(0, 1000)).hasSize(users.size());
  }

  @Test
  void pages_followEachOtherByAscendingId() {
    directory.importAll(
        IntStream.range(0, 5).mapToObj(i -> user(name("user" + i), "h")).toList(),
        AddedRows.nothing());

    List<UserRecord> first = directory.list(0, 3);
    List<UserRecord> second = directory.list(first.getLast().id(), 3);

    assertThat(first)
        .extracting(user -> user.login().text())
        .containsExactly("user0", "user1", "user2");
    assertThat(second).extracting(user -> user.login().text()).containsExactly("user3", "user4");
    assertThat(directory.list(second.getLast().id(), 3)).isEmpty();
  }

  @Test
  void filters_meetAll() {
    Set<String> ops = Set.of("ops", "dev");
    for (NewUser user :
        List.of(
            new NewUser(name("a_1"), "h", false, false, ops),
            new NewUser(name("a_2"), "h", false, true, ops),
            new NewUser(name("a-1"), "h", false, false, Set.of("devops")),
            new NewUser(name("b_1"), "h", false, false, ops))) {
      assertThat(directory.create(user)).isTrue();
    }
    assertThat(logins(Optional.of("a_"), Optional.empty(), Optional.empty()))
        .containsExactly("a_1", "a_2");
    assertThat(logins(Optional.empty(), Optional.of("ops"), Optional.of(false)))
        .containsExactly("a_1", "b_1");
    assertThat(logins(Optional.of("b"), Optional.of("dev"), Optional.of(true))).isEmpty();
  }

  private List<String> logins(
      Optional<String> prefix, Optional<String> group, Optional<Boolean> disabled) {
    return directory.list(new UserFilter(Optional.empty(), prefix, group, disabled), 0, 10).stream()
        .map(user -> user.login().text())
        .toList();
  }

  @Test
  void failedTransaction_leavesNothing() {
    assertThatThrownBy(
            () ->
                database.inTransaction(
                    connection -> {
                      try (Statement statement = connection.createStatement()) {
                        statement.execute(
                            "INSERT INTO users (login, password_hash, legacy, disabled,"
                                + " group_names, created_at, updated_at) VALUES ('x', '', FALSE,"
                                + " FALSE, '', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)");
                      }
                      throw new IllegalArgumentException("on purpose");
                    }))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(directory.isEmpty()).isTrue();
  }

  @Test
  void interruptedCaller_doesNotHarmTheOthers() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      LoginName login = name("interrupted" + i);
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    Thread.currentThread().interrupt();
                    try {
                      directory.create(user(login, "h"));
                    } catch (DatabaseUnavailable e) {
                      // Its own request may fail.
                    }
                  });
      caller.join();
    }

    assertThat(directory.create(user(ANN, "h"))).isTrue();
    assertThat(directory.find(ANN)).isPresent();
  }
}
