package dev.spillway.auth.tokens;

import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
   * @param extra told whether it was added
   * @return false if the newest key is another, and nothing was changed
   */
  boolean append(
      SigningKey key, long newest, Duration wait, Duration overlap, AddedRows<Boolean> extra) {
    boolean added = add(key, newest, wait, extra);
    if (added && newest > 0) {
      schedule(wait, overlap);
    }
    return added;
  }

  /** The same, with nothing along. */
  boolean append(SigningKey key, long newest, Duration wait, Duration overlap) {
    return append(key, newest, wait, overlap, AddedRows.nothing());
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
          Optional<Newest> found = Sql.first(connection, WITHOUT_TIMES, Newest::read, UNKNOWN);
          if (found.isEmpty()) {
            return false;
          }
          long generation = found.get().generation();
          Instant now = found.get().now();
          Instant signsFrom = now.plus(wait);
          if (Sql.update(connection, SCHEDULE, now, signsFrom, generation, UNKNOWN) == 0) {
            return false; // another instance was faster
          }
          Sql.update(connection, SUCCEED, signsFrom.plus(overlap), generation);
          return true;
        });
  }

  private boolean add(SigningKey key, long newest, Duration wait, AddedRows<Boolean> extra) {
    return database.inTransaction(
        connection -> {
          Newest found = Sql.first(connection, NEWEST, Newest::read).orElseThrow();
          if (found.generation() != newest) {
            return false;
          }
          Instant now = found.now();
          // An instance that gets in between takes the same generation: one of us is refused by the
          // constraint, starts over and finds that the newest key is another.
          insert(connection, newest + 1, key, now, newest == 0 ? now.plus(wait) : UNKNOWN);
          return true;
        },
        extra);
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
        connection -> Sql.update(connection, RESEAL, sealed, use, row.kid(), row.pem()));
  }

  /** Forgets the keys whose last token has ended; how many they were. */
  int deleteRetired() {
    return database.run(connection -> Sql.update(connection, DELETE_RETIRED));
  }

  private void insert(
      Connection connection, long generation, SigningKey key, Instant now, Instant signsFrom)
      throws SQLException {
    Sql.update(
        connection,
        INSERT,
        generation,
        key.kid(),
        key.algorithm().joseName(),
        sealing.seal(KeyPem.write(key.pair()), key.kid()),
        sealing.use().orElse(null),
        now,
        signsFrom);
  }

  /** A generation, and the database's time. */
  private record Newest(long generation, Instant now) {
    static Newest read(ResultSet row) throws SQLException {
      return new Newest(row.getLong(1), Sql.instant(row, 2));
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
    return Sql.list(connection, READ, SigningKeyTable::row);
  }

  private static Row row(ResultSet row) throws SQLException {
    Instant signsFrom = Sql.instant(row, 6);
    Instant retiredAt = Sql.instant(row, 7);
    return new Row(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(9),
        Sql.instant(row, 5),
        signsFrom.equals(UNKNOWN) ? Instant.MAX : signsFrom,
        retiredAt == null ? Instant.MAX : retiredAt,
        Sql.instant(row, 8));
  }
}
