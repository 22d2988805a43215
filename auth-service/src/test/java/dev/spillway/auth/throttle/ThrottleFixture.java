package dev.spillway.auth.throttle;

import static org.awaitility.Awaitility.await;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.network.ClientNetwork;
import dev.spillway.hashing.deadline.Deadline;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;

/** Two instances of the throttle on one database, and a clock that stands. */
abstract class ThrottleFixture {
  static final int POOL = 4;
  static final Duration LONG = Duration.ofSeconds(30);
  static final ClientNetwork HERE = network("203.0.113.1");
  static final ClientNetwork ELSEWHERE = network("198.51.100.1");

  final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  final InstantSource clock = now::get;
  Database database;
  Throttle one;
  Throttle other;

  abstract DataSource dataSource();

  @BeforeEach
  void migrateAndEmpty() {
    Flyway.configure().dataSource(dataSource()).load().migrate();
    database = new Database(dataSource());
    sql("DELETE FROM login_tallies");
    one = throttle();
    other = throttle();
  }

  String guess(Throttle throttle, String login, ClientNetwork network, boolean right) {
    try (Attempt attempt = begun(throttle, login, network)) {
      return ended(attempt, right, () -> {});
    }
  }

  static String ended(Attempt attempt, boolean right, Runnable hash) {
    return switch (attempt.admit(Deadline.in(LONG))) {
      case Admission.Admitted admitted -> {
        hash.run();
        if (right) {
          attempt.right();
        } else {
          attempt.wrong();
        }
        yield right ? "right" : "wrong";
      }
      case Admission.Refused(Admission.Limit by, Duration retryAfter) -> "refused by " + by;
      case Admission.Late late -> "late";
    };
  }

  static Attempt begun(Throttle throttle, String login, ClientNetwork network) {
    Attempt attempt = throttle.attempt(login, network);
    attempt.lookUp();
    return attempt;
  }

  Throttle throttle(String... keysAndValues) {
    List<String> config =
        new ArrayList<>(
            List.of(
                "spillway.throttle.network-limit", "20", "spillway.throttle.guard-limit", "10"));
    config.addAll(List.of(keysAndValues));
    ThrottleConfig read = ConfigText.read(ThrottleConfig.class, config.toArray(String[]::new));
    Tallies tallies = new Tallies(database, clock, read.window());
    return new Throttle(read, tallies, () -> {}, POOL, clock);
  }

  void assertIdle() {
    await().until(() -> one.idle() && other.idle());
  }

  void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  static void times(int times, java.util.function.IntConsumer what) {
    for (int i = 0; i < times; i++) {
      what.accept(i);
    }
  }

  static ClientNetwork network(int number) {
    return network("192.0.2." + number);
  }

  static ClientNetwork network(String address) {
    return new ClientNetwork(new IPAddressString(address).getAddress(), address + "/32");
  }

  static ClientNetwork network6(String address) {
    IPAddress whole = new IPAddressString(address).getAddress();
    return new ClientNetwork(whole, whole.toPrefixBlock(64).toCanonicalString());
  }

  long rows() {
    return number("SELECT COUNT(*) FROM login_tallies");
  }

  long reserved() {
    return number("SELECT COALESCE(SUM(reserved), 0) FROM login_tallies WHERE tally_key LIKE 'p%'");
  }

  long failures() {
    return number("SELECT COALESCE(SUM(failures), 0) FROM login_tallies");
  }

  long number(String query) {
    return database.run(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  void sql(String statement) {
    database.run(
        connection -> {
          try (Statement update = connection.createStatement()) {
            return update.executeUpdate(statement);
          } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
          }
        });
  }
}
