package dev.spillway.auth.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.DatabaseUnavailable;
import dev.spillway.auth.hashing.spend.Standing;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.hashing.deadline.Deadline;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every database must do for the throttle, with two instances of it on one database; one
 * subclass for each. The numbers are those in {@link Line}.
 */
@Timeout(60)
abstract class ThrottleContract extends ThrottleFixture {
  private int strangers;

  @Test
  void wrongGuesses_areRefusedAtTheLimitUntilTheWindowEnds() {
    for (int i = 0; i < 5; i++) {
      assertThat(guess(i % 2 == 0 ? one : other, "ann", HERE, false)).isEqualTo("wrong");
    }
    for (Throttle throttle : List.of(one, other)) {
      try (Attempt attempt = begun(throttle, "ann", HERE)) {
        assertThat(attempt.admit(Deadline.in(LONG)))
            .isEqualTo(new Admission.Refused(Admission.Limit.ACCOUNT, Duration.ofMinutes(10)));
      }
    }
    pass(Duration.ofMinutes(10).minusMillis(1));
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("refused by ACCOUNT");
    pass(Duration.ofMillis(1));
    assertThat(guess(other, "ann", HERE, true)).isEqualTo("right");
    assertIdle();
  }

  /** Who locks an account from one network has locked it there and nowhere else. */
  @Test
  void lockedFromOneNetwork_isOpenFromAnother() {
    times(5, i -> guess(one, "ann", HERE, false));
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("refused by ACCOUNT");
    assertThat(guess(one, "ann", ELSEWHERE, true)).isEqualTo("right");
    assertThat(guess(one, "bob", HERE, true)).as("others from there").isEqualTo("right");
  }

  @Test
  void success_forgivesTheAccountFromItsNetwork() {
    times(4, i -> guess(one, "ann", HERE, false));
    assertThat(guess(other, "ann", HERE, true)).isEqualTo("right");
    times(4, i -> assertThat(guess(one, "ann", HERE, false)).isEqualTo("wrong"));
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
  }

  @Test
  void networkLimit_stopsTheSprayButNobodyAtHome() {
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    times(20, i -> assertThat(guess(one, "user" + i, HERE, false)).isEqualTo("wrong"));
    assertThat(guess(other, "bob", HERE, true)).isEqualTo("refused by NETWORK");
    assertThat(guess(other, "ann", HERE, true)).as("at home").isEqualTo("right");
    assertThat(guess(other, "bob", ELSEWHERE, true)).isEqualTo("right");
    pass(Duration.ofDays(30));
    times(20, i -> guess(one, "user" + i, HERE, false));
    assertThat(guess(other, "ann", HERE, true)).as("too long ago").isEqualTo("refused by NETWORK");
  }

  @Test
  void guard_stopsGuessesFromManyNetworksButNobodyAtHome() {
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    times(10, i -> assertThat(guess(one, "ann", network(i), false)).isEqualTo("wrong"));
    assertThat(guess(other, "ann", ELSEWHERE, true)).isEqualTo("refused by GUARD");
    assertThat(guess(other, "ann", HERE, true)).as("at home").isEqualTo("right");
    assertThat(guess(other, "bob", ELSEWHERE, true)).isEqualTo("right");
  }

  /** A5: whichever instance is asked, from wherever the guesses came; and it locks again. */
  @Test
  void a5_unlocked_isForgivenItsAccountAndNothingElse() {
    times(5, i -> guess(one, "ann", HERE, false));
    times(5, i -> guess(one, "bob", HERE, false));
    times(10, i -> guess(one, "ann", network(i), false));
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("refused by ACCOUNT");
    assertThat(guess(one, "ann", ELSEWHERE, true)).isEqualTo("refused by GUARD");

    other.unlock("ann", AddedRows.nothing());

    assertThat(guess(one, "bob", HERE, true)).as("another's").isEqualTo("refused by ACCOUNT");
    times(5, i -> assertThat(guess(one, "ann", HERE, false)).isEqualTo("wrong"));
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("refused by ACCOUNT");
    other.unlock("ann", AddedRows.nothing());
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    assertThat(number("SELECT MAX(failures) FROM login_tallies WHERE tally_key LIKE 'n%'"))
        .as("the network's")
        .isEqualTo(15);
  }

  /** A5: a row from before the column is found after the next wrong guess. */
  @Test
  void a5_rowWithoutItsAccount_getsIt() {
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    sql("UPDATE login_tallies SET account = NULL");
    times(5, i -> guess(one, "ann", HERE, false));
    one.unlock("ann", AddedRows.nothing());
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
  }

  @Test
  void exemptNetwork_isNotCounted() {
    Throttle throttle = throttle("spillway.throttle.exempt", "203.0.113.0/24");
    times(30, i -> assertThat(guess(throttle, "ann", HERE, false)).isEqualTo("wrong"));
    assertThat(guess(throttle, "ann", HERE, true)).isEqualTo("right");
    assertThat(rows()).isZero();
  }

  /** T3: reservations are for those who are not alone. */
  @Test
  void loneAttempts_reserveNothing_andThoseAtHomeWriteNothing() {
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    assertThat(rows()).as("the home").isEqualTo(1);
    sql("UPDATE login_tallies SET succeeded_at = succeeded_at - 5");
    long noted = number("SELECT MAX(succeeded_at) FROM login_tallies");
    times(10, i -> assertThat(guess(one, "ann", HERE, true)).isEqualTo("right"));
    assertThat(number("SELECT MAX(succeeded_at) FROM login_tallies")).isEqualTo(noted);
  }

  @Test
  void standing_fallsWithWrongGuesses_butNotAtHome() {
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    assertThat(strangersStanding(HERE)).isEqualTo(Standing.UNSUSPECTED);
    guess(other, "carl", HERE, false);
    assertThat(strangersStanding(HERE)).as("its network").isEqualTo(Standing.DOUBTED);
    assertThat(standing("carl", ELSEWHERE)).as("its account").isEqualTo(Standing.DOUBTED);
    assertThat(strangersStanding(ELSEWHERE)).isEqualTo(Standing.UNSUSPECTED);
    times(9, i -> guess(other, "user" + i, HERE, false));
    assertThat(strangersStanding(HERE)).isEqualTo(Standing.SUSPECT);
    assertThat(standing("ann", HERE)).isEqualTo(Standing.AT_HOME);
    pass(Duration.ofMinutes(10));
    assertThat(strangersStanding(HERE)).isEqualTo(Standing.UNSUSPECTED);
  }

  /** Guesses whose end is not known yet may all be wrong. */
  @Test
  void standing_countsWhatIsSpilledAndNotDecided() {
    List<Attempt> spilled = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      spilled.add(begun(one, "user" + i, HERE));
      spilled.getLast().admit(Deadline.in(LONG));
      assertThat(spilled.getLast().standing()).isEqualTo(Standing.UNSUSPECTED);
      assertThat(spilled.getLast().standing()).as("asked again").isEqualTo(Standing.UNSUSPECTED);
    }
    assertThat(strangersStanding(HERE)).isEqualTo(Standing.SUSPECT);
    spilled.getFirst().right();
    spilled.getFirst().close();
    assertThat(strangersStanding(HERE)).isEqualTo(Standing.UNSUSPECTED);
    spilled.get(1).wrong();
    spilled.get(1).close();
    assertThat(strangersStanding(HERE)).isEqualTo(Standing.DOUBTED);
    spilled.subList(2, spilled.size()).forEach(Attempt::close);
    assertIdle();
  }

  /** H1: an abandoned hash counts against its network, in all instances. */
  @Test
  void h1_abandonedHashes_stopTheirNetworkAndLockNobodyOut() {
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    times(10, i -> assertThat(abandoned(one, "bob")).isNotEqualTo(Standing.SUSPECT));
    assertThat(strangersStanding(HERE)).as("spends nothing more").isEqualTo(Standing.SUSPECT);
    assertThat(strangersStanding(ELSEWHERE)).isEqualTo(Standing.UNSUSPECTED);
    times(10, i -> abandoned(other, "bob"));
    assertThat(guess(other, "carl", HERE, true)).isEqualTo("refused by NETWORK");
    assertThat(guess(one, "ann", HERE, true)).as("at home").isEqualTo("right");
    assertThat(guess(one, "bob", ELSEWHERE, true)).as("no count of the account").isEqualTo("right");
    assertThat(number("SELECT COUNT(*) FROM login_tallies WHERE tally_key LIKE 'a%'")).isZero();
    pass(Duration.ofMinutes(10));
    assertThat(guess(other, "bob", HERE, true)).isEqualTo("right");
  }

  private Standing abandoned(Throttle throttle, String login) {
    try (Attempt attempt = begun(throttle, login, HERE)) {
      attempt.admit(Deadline.in(LONG));
      Standing standing = attempt.standing();
      attempt.abandoned();
      return standing;
    }
  }

  /** N3: a client with a /48 makes each guess from another /64. */
  @Test
  void n3_networksOfOneSite_areStoppedTogether() {
    List<String> ends = new ArrayList<>();
    times(
        150,
        i ->
            ends.add(
                guess(i % 2 == 0 ? one : other, "user" + i, site("%x00".formatted(i)), false)));
    assertThat(ends.subList(0, 25)).containsOnly("wrong");
    assertThat(ends.subList(25, 150)).containsOnly("refused by NETWORK");
    assertThat(guess(one, "user", network6("2001:db8:9:1::1"), true))
        .as("its neighbour")
        .isEqualTo("right");
  }

  @Test
  void n3_networksOfOneHome_areStoppedTogether() {
    times(
        22,
        i ->
            assertThat(guess(one, "user" + i, site("4%02x".formatted(i)), false))
                .isEqualTo("wrong"));
    assertThat(guess(one, "user", site("4ff"), true)).isEqualTo("refused by NETWORK");
    assertThat(guess(one, "user", site("500"), true)).as("another home").isEqualTo("right");
  }

  @Test
  void n3_networksOfOneSite_doNotCloseAnAccountsGuard() {
    Throttle throttle = throttle("spillway.throttle.guard-limit", "50");
    List<String> ends = new ArrayList<>();
    times(60, i -> ends.add(guess(throttle, "ann", site("%x".formatted(i % 12)), false)));
    assertThat(ends.subList(0, 10)).containsOnly("wrong");
    assertThat(ends.subList(10, 60)).containsOnly("refused by ACCOUNT");
    assertThat(guess(throttle, "ann", ELSEWHERE, true)).isEqualTo("right");
  }

  /** The wider counts are none of a user's who is at home. */
  @Test
  void n3_userAtHome_isNotStoppedForItsSite() {
    assertThat(guess(one, "ann", site("1"), true)).isEqualTo("right");
    times(25, i -> guess(one, "user" + i, site("%x00".formatted(i + 2)), false));
    times(10, i -> guess(one, "ann", site("%x00".formatted(i + 100)), false));
    assertThat(guess(one, "ann", site("1"), true)).isEqualTo("right");
  }

  private static ClientNetwork site(String network) {
    return network6("2001:db8:8:" + network + "::1");
  }

  /** An overload is nobody's fault: who was shed because no target had a slot spent nothing. */
  @Test
  void standing_countsNothingThatWasNotSpilled() {
    times(
        10,
        i -> {
          try (Attempt attempt = begun(one, "user" + i, HERE)) {
            attempt.admit(Deadline.in(LONG));
            assertThat(attempt.standing()).isEqualTo(Standing.UNSUSPECTED);
            attempt.notSpilled();
          }
        });
    assertThat(strangersStanding(HERE)).isEqualTo(Standing.UNSUSPECTED);
  }

  /** What cannot be counted must not be answered. */
  @Test
  void wrongGuess_thatCannotBeCounted_isAnError() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    DataSource real = dataSource();
    database =
        new Database(
            (DataSource)
                Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (self, method, arguments) -> {
                      if (broken.get()) {
                        throw new SQLException("on purpose", "08006");
                      }
                      return method.invoke(real, arguments);
                    }));
    one = throttle();
    try (Attempt attempt = begun(one, "ann", HERE)) {
      attempt.admit(Deadline.in(LONG));
      broken.set(true);
      assertThatThrownBy(attempt::wrong).isInstanceOf(DatabaseUnavailable.class);
      attempt.right(); // which is no reason to refuse a right password
    }
    broken.set(false);
    assertIdle();
  }

  /** T4: neither overload nor a client that left counts, and nothing stays reserved. */
  @Test
  void whatWasNotDecided_leavesNothingBehind() throws Exception {
    try (Attempt first = begun(one, "ann", HERE);
        Attempt second = begun(one, "ann", HERE)) {
      assertThat(first.admit(Deadline.in(LONG))).isInstanceOf(Admission.Admitted.class);
      assertThat(second.admit(Deadline.in(LONG))).isInstanceOf(Admission.Admitted.class);
      assertThat(reserved()).isEqualTo(1);
    }
    assertThat(reserved()).isZero();
    assertThat(failures()).isZero();
    assertIdle();
  }

  /** What an instance had reserved when it died, hinders the others a little and then no more. */
  @Test
  void deadInstance_leavesTheOthersOneAtATimeUntilTheWindowEnds() {
    List<Attempt> dead = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      dead.add(begun(one, "ann", HERE));
      assertThat(dead.getLast().admit(Deadline.in(LONG))).isInstanceOf(Admission.Admitted.class);
    }
    assertThat(reserved()).as("five and no more; one goes freely").isEqualTo(5);
    assertThat(guess(other, "ann", HERE, true)).isEqualTo("right");
    pass(Duration.ofMinutes(10));
    try (Attempt first = begun(other, "ann", HERE);
        Attempt second = begun(other, "ann", HERE)) {
      assertThat(first.admit(Deadline.in(LONG))).isInstanceOf(Admission.Admitted.class);
      assertThat(second.admit(Deadline.in(LONG))).isInstanceOf(Admission.Admitted.class);
    }
  }

  @Test
  void sweep_deletesWhatSaysNothingAnyMore() {
    assertThat(guess(one, "ann", HERE, true)).isEqualTo("right");
    guess(one, "bob", HERE, false);
    assertThat(rows()).isEqualTo(4);
    Tallies tallies = new Tallies(database, clock, Duration.ofMinutes(10));
    assertThat(tallies.sweep(10)).isZero();
    pass(Duration.ofMinutes(20));
    assertThat(tallies.sweep(10)).as("a clock may be slow").isZero();
    pass(Duration.ofMillis(1));
    assertThat(tallies.sweep(2)).as("a few at a time").isEqualTo(2);
    assertThat(tallies.sweep(2)).isEqualTo(1);
    assertThat(rows()).as("the home").isEqualTo(1);
    pass(Duration.ofDays(30));
    assertThat(tallies.sweep(2)).isEqualTo(1);
  }

  @Test
  void logins_cannotBeReadInTheTable() {
    guess(one, "ann", HERE, false);
    assertThat(number("SELECT COUNT(*) FROM login_tallies WHERE tally_key LIKE '%ann%'")).isZero();
    assertThat(number("SELECT MAX(CHAR_LENGTH(tally_key)) FROM login_tallies")).isEqualTo(33);
  }

  /** Of somebody who was never here before. */
  private Standing strangersStanding(ClientNetwork network) {
    return standing("stranger" + strangers++, network);
  }

  private Standing standing(String login, ClientNetwork network) {
    try (Attempt attempt = begun(one, login, network)) {
      attempt.admit(Deadline.in(LONG));
      Standing standing = attempt.standing();
      attempt.right(); // found out: it counts as nothing
      return standing;
    }
  }
}
