package dev.spillway.auth.throttle;

import dev.spillway.auth.database.DatabaseUnavailable;
import dev.spillway.auth.hashing.spend.Standing;
import dev.spillway.hashing.deadline.Deadline;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An attempt in the lines of its account and networks. Where the account is at home, it waits in
 * the line of the two only; a wrong guess counts in all of them.
 */
final class CountedAttempt implements Attempt {
  private static final String NAMED_COLUMNS = ", " + Tallies.COLUMNS;
  private static final String JOIN = "LEFT JOIN login_tallies ON login_tallies.tally_key IN (%s)";

  /** A success is noted again after this share of the time for which it counts. */
  private static final int NOTES = 30;

  private final Lines lines;
  private final Tallies tallies;
  private final InstantSource clock;
  private final int suspectAfter;
  private final Keys keys;
  private final Line pair;

  /** Of the network and the wider ones around it. */
  private final List<Line> networks;

  /** In the order in which they are entered and counted. */
  private final List<Line> joined;

  private final Map<Line, Integer> versions = new HashMap<>();
  private final Map<String, Tally> found = new HashMap<>();
  private final List<Line> held = new ArrayList<>();

  /** Hashes of this one, each of another form of the password, that may be spilled or were. */
  private int spills;

  /**
   * @param joined the lines of all keys in their order; left by {@link #close}
   */
  CountedAttempt(
      Keys keys,
      List<Line> joined,
      Lines lines,
      Tallies tallies,
      InstantSource clock,
      int suspectAfter) {
    this.keys = keys;
    this.joined = joined;
    this.pair = joined.getFirst();
    this.networks = joined.subList(joined.size() - keys.networks().size(), joined.size());
    this.lines = lines;
    this.tallies = tallies;
    this.clock = clock;
    this.suspectAfter = suspectAfter;
    joined.forEach(line -> versions.put(line, line.version()));
  }

  @Override
  public String columns() {
    return NAMED_COLUMNS;
  }

  @Override
  public String join() {
    return JOIN.formatted(String.join(", ", Collections.nCopies(joined.size(), "?")));
  }

  @Override
  public void bind(PreparedStatement query, int from) throws SQLException {
    List<String> all = keys.all();
    for (int i = 0; i < all.size(); i++) {
      query.setString(from + i, all.get(i));
    }
  }

  @Override
  public void row(ResultSet row) throws SQLException {
    String key = row.getString("tally_key");
    if (key != null) {
      found.put(key, Tallies.tally(row));
    }
  }

  @Override
  public void lookUp() {
    found.putAll(tallies.read(keys.all()));
  }

  @Override
  public Admission admit(Deadline deadline) {
    for (Line line : joined) {
      line.found(tally(line), versions.get(line));
    }
    for (Line line : atHome() ? List.of(pair) : joined) {
      Admission admission = line.take(deadline);
      if (!(admission instanceof Admission.Admitted)) {
        return admission;
      }
      held.add(line);
    }
    return new Admission.Admitted();
  }

  /**
   * Who is not at home takes part in what its widest network may yet spend: as many as may be wrong
   * until it is suspect. Of a thousand first guesses at once, no more than those spill.
   */
  @Override
  public Standing standing() {
    if (atHome()) {
      return Standing.AT_HOME;
    }
    long now = clock.millis();
    int wrong = joined.stream().mapToInt(line -> line.tally().failures(now)).max().orElse(0);
    boolean may = spills > 0 || networks.getLast().spill(wrong, suspectAfter);
    spills += may ? 1 : 0;
    return !may ? Standing.SUSPECT : wrong > 0 ? Standing.DOUBTED : Standing.UNSUSPECTED;
  }

  @Override
  public void notSpilled() {
    if (spills > 0 && --spills == 0) {
      networks.getLast().spilled();
    }
  }

  @Override
  public void right() {
    long now = clock.millis();
    Tally tally = pair.tally();
    if (tally.failures(now) > 0 || !tally.succeededWithin(Tallies.HOME_FOR.dividedBy(NOTES), now)) {
      pair.counting().acquireUninterruptibly();
      try {
        tallies.succeed(keys.pair());
        pair.succeeded();
      } catch (DatabaseUnavailable e) {
        // The password is right whether or not it can be written down; the next time will do.
      } finally {
        pair.counting().release();
      }
    }
  }

  @Override
  public void wrong() {
    fail(joined);
  }

  @Override
  public void abandoned() {
    try {
      fail(networks);
    } catch (DatabaseUnavailable e) {
      // Nobody is answered, and nobody else logs in meanwhile.
    }
  }

  private void fail(List<Line> counted) {
    List<Tallies.Failure> failures = new ArrayList<>();
    for (Line line : counted) {
      long reservedIn = held.contains(line) ? line.pay() : Tallies.NO_WINDOW;
      if (reservedIn != Tallies.NO_WINDOW) {
        held.remove(line);
      }
      String account = networks.contains(line) ? null : keys.account();
      failures.add(new Tallies.Failure(line.key(), account, reservedIn));
    }
    counted.forEach(line -> line.counting().acquireUninterruptibly());
    try {
      Map<String, Tally> now = tallies.fail(failures);
      counted.forEach(line -> line.counted(now.get(line.key())));
    } finally {
      counted.forEach(line -> line.counting().release());
    }
  }

  @Override
  public void close() {
    if (spills > 0) {
      networks.getLast().spilled();
    }
    held.forEach(Line::end);
    joined.forEach(lines::leave);
  }

  private boolean atHome() {
    return tally(pair).succeededWithin(Tallies.HOME_FOR, clock.millis());
  }

  private Tally tally(Line line) {
    return found.getOrDefault(line.key(), Tally.NONE);
  }
}
