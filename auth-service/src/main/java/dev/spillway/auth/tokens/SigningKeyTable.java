package dev.spillway.auth.tokens;

import dev.spillway.auth.database.Along;
import dev.spillway.auth.database.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys that all instances on one database share. Its clock is the one that counts. */
final class SigningKeyTable {
  private static final String READ =
      """
      SELECT generation, kid, algorithm, pem, published_at, signs_from, retired_at,
        CURRENT_TIMESTAMP, sealed_with
      FROM signing_keys
      WHERE retired_at IS NULL OR retired_at > CURRENT_TIMESTAMP
      """;

  private static final String NEWEST =
      "SELECT MAX(generation), CURRENT_TIMESTAMP FROM signing_keys";

  private static final String INSERT =
      """
      INSERT INTO signing_keys
        (generation, kid, algorithm, pem, sealed_with, published_at, signs_from)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String WITHOUT_TIMES =
      "SELECT generation, CURRENT_TIMESTAMP FROM signing_keys WHERE signs_from = ?";

  private static final String SCHEDULE =
      """
      UPDATE signing_keys SET published_at = ?, signs_from = ?
      WHERE generation = ? AND signs_from = ?
      """;

  private static final String SUCCEED =
      "UPDATE signing_keys SET retired_at = ? WHERE generation < ? AND retired_at IS NULL";

  private static final String RESEAL =
      "UPDATE signing_keys SET pem = ?, sealed_with = ? WHERE kid = ? AND pem = ?";

  private static final String DELETE_RETIRED =
      "DELETE FROM signing_keys WHERE retired_at <= CURRENT_TIMESTAMP";

  /** When a key signs that was added and has not been given its times. */
  private static final Instant UNKNOWN = Instant.parse("9999-12-31T00:00:00Z");

  private final Database database;
  private final KeySealing sealing;
  private final Clock clock;

  /** By kid, so that a key is parsed and proven once and not at every reading. */
  private volatile Map<String, SigningKey> known = Map.of();

  SigningKeyTable(Database database, KeySealing sealing, Clock clock) {
    this.database = database;
    this.sealing = sealing;
    this.clock = clock;
  }

  /** Empty only before the first key was ever added. */
  Optional<KeyRing> read() throws UnusableKeyException {
    Instant askedAt = clock.instant();
    List<Row> rows = database.run(SigningKeyTable::rows);
    // For K1 it counts from the query, for K2 it is late by the time the answer took.
    Instant answeredAt = clock.instant();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Map<String, SigningKey> seen = new HashMap<>();
    List<RingKey> keys = new ArrayList<>();
    for (Row row : rows) {
      SigningKey key = known.get(row.kid());
      if (key == null) {
        SigningAlgorithm algorithm = SigningAlgorithm.named(row.algorithm());
        String pem = sealing.open(row.pem(), row.sealedWith(), row.kid());
        key = SigningKey.proven(KeyPem.read(pem, algorithm), algorithm);
      }
      seen.put(row.kid(), key);
      keys.add(
          new RingKey(row.generation(), key, row.publishedAt(), row.signsFrom(), row.retiredAt()));
    }
    known = Map.copyOf(seen);
    Duration ahead = Duration.between(answeredAt, rows.getFirst().now());
    return Optional.of(new KeyRing(keys, askedAt, ahead));
  }

  /**
   * Adds the successor of the newest key, unless somebody else did. Where there is a key that
   * others may have read, the new one is given its times in a second transaction, see {@link
   * #schedule}.
   *
   * @param newest generation of the newest key as the caller knows it; 0 for none
   * @param wait from now until the key signs
   * @param overlap how long from then on the keys before it are still published
   * @param along told whether it was added
   * @return false if the newest key is another, and nothing was changed
   */
  boolean append(
      SigningKey key, long newest, Duration wait, Duration overlap, Along<Boolean> along) {
    boolean added = add(key, newest, wait, along);
    if (added && newest > 0) {
      schedule(wait, overlap);
    }
    return added;
  }

  /** The same, with nothing along. */
  boolean append(SigningKey key, long newest, Duration wait, Duration overlap) {
    return append(key, newest, wait, overlap, Along.nothing());
  }

  /**
   * Sets the times of the key that was added last, if it has none. They count from a time at which
   * every instance could read the key. Times written with the key would count from before its
   * commit, and a verifier might have fetched the keys without it since.
   *
   * @return false if there was nothing to be done
   */
  boolean schedule(Duration wait, Duration overlap) {
    return database.inTransaction(
        connection -> {
          long generation;
          Instant now;
          try (PreparedStatement ask = connection.prepareStatement(WITHOUT_TIMES)) {
            ask.setObject(1, at(UNKNOWN));
            try (ResultSet row = ask.executeQuery()) {
              if (!row.next()) {
                return false;
              }
              generation = row.getLong(1);
              now = instant(row, 2);
            }
          }
          try (PreparedStatement schedule = connection.prepareStatement(SCHEDULE)) {
            schedule.setObject(1, at(now));
            schedule.setObject(2, at(now.plus(wait)));
            schedule.setLong(3, generation);
            schedule.setObject(4, at(UNKNOWN));
            if (schedule.executeUpdate() == 0) {
              return false; // another instance was faster
            }
          }
          try (PreparedStatement succeed = connection.prepareStatement(SUCCEED)) {
            succeed.setObject(1, at(now.plus(wait).plus(overlap)));
            succeed.setLong(2, generation);
            succeed.executeUpdate();
          }
          return true;
        });
  }

  private boolean add(SigningKey key, long newest, Duration wait, Along<Boolean> along) {
    return database.inTransaction(
        connection -> {
          Instant now;
          try (Statement ask = connection.createStatement();
              ResultSet row = ask.executeQuery(NEWEST)) {
            row.next();
            if (row.getLong(1) != newest) {
              return false;
            }
            now = instant(row, 2);
          }
          // An instance that gets in between takes the same generation: one of us is refused by the
          // constraint, starts over and finds that the newest key is another.
          insert(connection, newest + 1, key, now, newest == 0 ? now.plus(wait) : UNKNOWN);
          return true;
        },
        along);
  }

  /** Seals what is stored in clear or under another key; how many keys they were. */
  int reseal() throws UnusableKeyException {
    int resealed = 0;
    if (sealing.use().isPresent()) {
      String use = sealing.use().get();
      for (Row row : database.run(SigningKeyTable::rows)) {
        if (!use.equals(row.sealedWith())) {
          String pem = sealing.open(row.pem(), row.sealedWith(), row.kid());
          resealed += replace(row, sealing.seal(pem, row.kid()), use);
        }
      }
    }
    return resealed;
  }

  /** None if another instance was faster. */
  private int replace(Row row, String sealed, String use) {
    return database.run(
        connection -> {
          try (PreparedStatement update = connection.prepareStatement(RESEAL)) {
            update.setString(1, sealed);
            update.setString(2, use);
            update.setString(3, row.kid());
            update.setString(4, row.pem());
            return update.executeUpdate();
          }
        });
  }

  /** Forgets the keys whose last token has ended; how many they were. */
  int deleteRetired() {
    return database.run(
        connection -> {
          try (Statement delete = connection.createStatement()) {
            return delete.executeUpdate(DELETE_RETIRED);
          }
        });
  }

  private void insert(
      Connection connection, long generation, SigningKey key, Instant now, Instant signsFrom)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setLong(1, generation);
      insert.setString(2, key.kid());
      insert.setString(3, key.algorithm().joseName());
      insert.setString(4, sealing.seal(KeyPem.write(key.pair()), key.kid()));
      insert.setString(5, sealing.use().orElse(null));
      insert.setObject(6, at(now));
      insert.setObject(7, at(signsFrom));
      insert.executeUpdate();
    }
  }

  private record Row(
      long generation,
      String kid,
      String algorithm,
      String pem,
      String sealedWith,
      Instant publishedAt,
      Instant signsFrom,
      Instant retiredAt,
      Instant now) {
    /** Leaves the keys out. */
    @Override
    public String toString() {
      return "Row[" + kid + "]";
    }
  }

  private static List<Row> rows(Connection connection) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (Statement read = connection.createStatement();
        ResultSet row = read.executeQuery(READ)) {
      while (row.next()) {
        Instant signsFrom = instant(row, 6);
        Instant retiredAt = instant(row, 7);
        rows.add(
            new Row(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(9),
                instant(row, 5),
                signsFrom.equals(UNKNOWN) ? Instant.MAX : signsFrom,
                retiredAt == null ? Instant.MAX : retiredAt,
                instant(row, 8)));
      }
    }
    return rows;
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static OffsetDateTime at(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
