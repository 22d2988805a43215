package dev.spillway.auth.audit;

import dev.spillway.auth.database.DatabaseUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Buffer of the audit log: takes events without waiting and writes them in batches. */
final class AuditWriter {
  /*
   * Invariants, each pinned by the test that carries its number in AuditWriterTest:
   *
   *   A1  add() never waits, whatever the database does.
   *   A2  At most `room` events wait for the writer and at most `room` entries for the database.
   *   A3  Events without room are counted: written + lost + waiting = added.
   *   A4  Entries are written in the order in which they were added, each once as long as the
   *       database confirms what it has done.
   *
   * Only equal attempts of one batch share an entry, and only if no password was compared: a flood
   * of them would otherwise fill the disk. Attempts that cost a client nothing share one entry for
   * all names of their network, without a name.
   */
  private static final Logger LOG = Logger.getLogger(AuditWriter.class);

  /** A transaction of so many rows is over in milliseconds. */
  static final int BATCH = 500;

  /** Outcomes that cost the client nothing, beside the throttled ones. */
  private static final Set<String> NO_DECISIONS =
      Set.of("shed", "gone", "impossible_password", "unknown");

  /** Of those, what counts against no account, so that any name will do for a flood. */
  private static final Set<String> OF_ANY_NAME =
      Set.of("gone", "impossible_password", "throttled_by_network");

  private static final int LONGEST_NETWORK = 64;

  private final int room;
  private final AccountNames names;
  private final Consumer<List<AuditEntry>> table;
  private final Consumer<AuditEntry> log;
  private final AuditMeters meters;
  private final InstantSource clock;

  private final BlockingQueue<Stamped> added;

  /**
   * Logged already, if that is on, and not in the table yet; changed by the holder of this only.
   */
  private final BlockingQueue<AuditEntry> unwritten;

  private record Stamped(Instant at, AuditEvent event, int times) {}

  /**
   * @param table writes a batch, or throws {@link DatabaseUnavailable} and has written nothing
   * @param log is given each entry once, before it is written
   */
  AuditWriter(
      int room,
      AccountNames names,
      Consumer<List<AuditEntry>> table,
      Consumer<AuditEntry> log,
      AuditMeters meters,
      InstantSource clock) {
    this.room = room;
    this.names = names;
    this.table = table;
    this.log = log;
    this.meters = meters;
    this.clock = clock;
    this.added = new ArrayBlockingQueue<>(room);
    this.unwritten = new LinkedBlockingQueue<>(room);
    meters.observe(this, writer -> writer.added.size() + writer.unwritten.size());
  }

  /** A1. */
  void add(AuditEvent event) {
    add(event, 1);
  }

  /** So many equal attempts in one entry. */
  void add(AuditEvent event, int times) {
    if (!added.offer(new Stamped(clock.instant(), event, times))) {
      meters.lost(AuditMeters.Loss.BUFFER, times);
    }
  }

  /** Writes all that has been added, if the database lets it; never throws. */
  synchronized void write() {
    try {
      do {
        take();
      } while (writeBatches() && !added.isEmpty());
    } catch (RuntimeException e) {
      LOG.error("The audit log could not be written", e);
    }
  }

  private void take() {
    List<Stamped> taken = new ArrayList<>();
    added.drainTo(taken, BATCH);
    merged(taken).forEach(this::keep);
  }

  private void keep(AuditEntry entry) {
    log.accept(entry);
    if (!unwritten.offer(entry)) {
      meters.lost(AuditMeters.Loss.DATABASE, entry.times());
    }
  }

  /** Whether all are written. */
  private boolean writeBatches() {
    while (!unwritten.isEmpty()) {
      List<AuditEntry> batch = unwritten.stream().limit(BATCH).toList();
      int attempts = batch.stream().mapToInt(AuditEntry::times).sum();
      try {
        table.accept(batch);
        meters.written(attempts);
      } catch (DatabaseUnavailable e) {
        return takenWhileItCannot();
      } catch (IllegalStateException e) {
        meters.lost(AuditMeters.Loss.REFUSED, attempts);
        LOG.errorf(e, "The database refused %d entries of the audit log", batch.size());
      }
      batch.forEach(written -> unwritten.remove());
    }
    return true;
  }

  /** What comes while the database cannot write must not wait for the writer as well. */
  private boolean takenWhileItCannot() {
    while (!added.isEmpty()) {
      take();
    }
    return false;
  }

  private Collection<AuditEntry> merged(List<Stamped> taken) {
    Map<Object, AuditEntry> entries = new LinkedHashMap<>();
    for (Stamped one : taken) {
      AuditEntry entry = entry(one);
      entries.merge(key(entry), entry, AuditEntry::plus);
    }
    return entries.values();
  }

  private static Object key(AuditEntry entry) {
    if (isDecision(entry)) {
      return new Object();
    }
    AuditEntry equal = entry.withoutTime();
    return OF_ANY_NAME.contains(entry.outcome()) ? equal.withoutName() : equal;
  }

  /** Each of these stands for itself. */
  private static boolean isDecision(AuditEntry entry) {
    return !entry.outcome().startsWith("throttled") && !NO_DECISIONS.contains(entry.outcome());
  }

  /** An entry with the current time, for a caller that writes it itself. */
  AuditEntry entry(AuditEvent event) {
    return entry(new Stamped(clock.instant(), event, 1));
  }

  private AuditEntry entry(Stamped one) {
    AuditEvent event = one.event();
    String shown = names.shown(event).orElse(null);
    String network = event.network();
    return new AuditEntry(
        null,
        one.at().truncatedTo(ChronoUnit.MILLIS).toString(),
        event.action().label(),
        shown,
        shown == null && event.login() != null ? names.keyed(event.login()) : null,
        event.actor() == null ? null : names.actor(event.actor()),
        network.substring(0, Math.min(network.length(), LONGEST_NETWORK)),
        event.outcome(),
        event.path().label(),
        one.times());
  }
}
