package dev.spillway.auth.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.auth.database.AddedRows;
import dev.spillway.auth.database.Database;
import dev.spillway.auth.database.Upkeep;
import dev.spillway.auth.schedule.Recurring;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Who tried to get in, and what came of it. A thread that adds an entry goes on at once; one thread
 * writes them, and another deletes those that are old.
 */
@ApplicationScoped
public class AuditLog {

  /** One line of JSON for each entry; off, unless the operator gives this category a level. */
  private static final Logger ENTRIES = Logger.getLogger("spillway.audit");

  /**
   * Entries that wait for the writer, and as many again that wait for the database: some megabytes,
   * and more than a minute of the logins that a machine can hash.
   */
  private static final int ROOM = 10_000;

  /** Between two batches: an entry can be read as soon as anybody could look for it. */
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private static final int DELETED_AT_ONCE = 1_000;

  /** With the interval, as many as 3,000 entries a second. */
  private static final int MAX_BATCHES = 1_000;

  private static final Duration BETWEEN_DELETIONS = Duration.ofMinutes(5);

  private final Duration keepFor;
  private final boolean tableOn;
  private final AccountNames names;
  private final AuditTable table;
  private final AuditWriter writer;
  private final AuditMeters meters;
  private final Upkeep upkeep;
  private final ObjectMapper json;
  private final InstantSource clock = InstantSource.system();
  private final List<Recurring> work = new ArrayList<>();

  AuditLog(AuditConfig config, Database database, MeterRegistry registry, ObjectMapper json) {
    this.keepFor = config.keepFor();
    this.tableOn = keepFor.isPositive();
    this.names = AccountNames.of(config);
    this.table = new AuditTable(database);
    this.json = json;
    this.meters = new AuditMeters(registry);
    this.upkeep = new Upkeep("audit_log", registry);
    this.writer =
        new AuditWriter(
            ROOM, names, tableOn ? table::add : entries -> {}, this::log, meters, clock);
  }

  void start(@Observes StartupEvent event) {
    work.add(Recurring.every("audit-log", INTERVAL, writer::write));
    if (tableOn) {
      work.add(Recurring.every("audit-sweep", BETWEEN_DELETIONS, this::deleteOld));
    }
  }

  /** After the last request has been answered. */
  void stop(@Observes ShutdownEvent event) {
    work.forEach(Recurring::close);
    writer.write();
  }

  /** Never waits and never fails; an entry that finds no room is counted. */
  public void add(AuditEvent event) {
    add(event, 1);
  }

  /** The same for so many equal attempts, which share an entry. */
  public void add(AuditEvent event, int times) {
    if (tableOn || ENTRIES.isInfoEnabled()) {
      writer.add(event, times);
    }
  }

  /**
   * For a change of the database that must not be without its entries: they are written in its
   * transaction, and in the log when it is in effect.
   *
   * @param told what the change's answer says was done; nothing if it changed nothing
   */
  public <T> AddedRows<T> rowsOf(Function<T, List<AuditEvent>> told) {
    return new AddedRows<>() {
      private List<AuditEntry> entries = List.of();

      @Override
      public void write(Connection connection, T answer) throws SQLException {
        entries = told.apply(answer).stream().map(writer::entry).toList();
        if (tableOn && !entries.isEmpty()) {
          AuditTable.insert(connection, entries);
        }
      }

      @Override
      public void committed() {
        if (tableOn) {
          meters.written(entries.size());
        }
        entries.forEach(AuditLog.this::log);
      }
    };
  }

  /**
   * Entries by ascending id.
   *
   * @param after id of the last entry known; 0 for none
   * @throws dev.spillway.auth.http.Unavailable if the database does not answer
   */
  public List<AuditEntry> list(AuditFilter filter, long after, int limit) {
    return table.list(filter, this::names, after, limit);
  }

  /** PostgreSQL has no NUL in its texts; a name with one is in the table by its HMAC only. */
  private AuditTable.Names names(String login) {
    String keyed = names.keyed(login);
    return new AuditTable.Names(login.indexOf('\0') < 0 ? login : keyed, keyed);
  }

  /** In batches until a batch is not full. Never throws. */
  void deleteOld() {
    upkeep.run(this::deleteBatches);
  }

  private void deleteBatches() {
    Instant oldest = clock.instant().minus(keepFor);
    for (int batch = 0; batch < MAX_BATCHES; batch++) {
      if (table.deleteBefore(oldest, DELETED_AT_ONCE) < DELETED_AT_ONCE) {
        return;
      }
    }
  }

  private void log(AuditEntry entry) {
    if (!ENTRIES.isInfoEnabled()) {
      return;
    }
    try {
      ENTRIES.info(json.writeValueAsString(entry));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of strings is always JSON", e);
    }
  }
}
