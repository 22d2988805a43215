package dev.spillway.auth.database;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where users and keys are kept. The keys are mapped onto those of the two datasources in
 * application.properties.
 *
 * <p>This mapping sits at the root of {@code spillway.*} on purpose: a key under it that no mapping
 * knows, a misspelt one, stops the start.
 */
@ConfigMapping(prefix = "spillway")
public interface DatabaseConfig {
  /** Directory of the H2 file, made if it is not there; without meaning for PostgreSQL. */
  @WithDefault("data")
  Path dataDir();

  Database database();

  /** The connection. */
  interface Database {
    /** Which database; H2 needs nothing installed and serves one instance only. */
    @WithDefault("h2")
    Kind kind();

    /**
     * JDBC URL. By default a file in the data directory, or {@code spillway} on the local
     * PostgreSQL.
     */
    Optional<String> url();

    /** By default {@code spillway}. */
    Optional<String> username();

    /** By default empty. */
    Optional<String> password();

    /**
     * Most connections. One is held for a look-up by index, about a millisecond, and never while a
     * hash waits or runs; 16 of them serve thousands of logins a second, more than the hashes of
     * any machine, and six instances stay below PostgreSQL's own default of 100.
     */
    @WithDefault("16")
    @Min(1)
    @Max(1000)
    int poolSize();
  }

  /** The databases that this service speaks to. */
  enum Kind {
    H2,
    POSTGRESQL
  }
}
