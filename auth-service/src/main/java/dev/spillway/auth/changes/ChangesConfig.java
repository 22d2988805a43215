package dev.spillway.auth.changes;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Where settings stand that may change while the service runs. */
@ConfigMapping(prefix = "spillway.changes")
public interface ChangesConfig {
  /** The default of {@link #file}. */
  String DEFAULT_FILE = "config/spill.properties";

  /**
   * The file, in the form of Java properties in UTF-8; relative to where the service was started.
   * It need not be there. What stands in it comes before every other way of setting it.
   */
  @WithDefault(DEFAULT_FILE)
  String file();

  /**
   * How often it is read, 10 ms to 10 min. A change takes two readings. Reading a small file a
   * second costs nothing, and unlike a notification works on every volume there is.
   */
  @WithDefault("1s")
  Duration interval();
}
