package dev.spillway.auth.login;

import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.hashing.StoredHash;
import dev.spillway.auth.schedule.Recurring;
import dev.spillway.auth.users.UserDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Source of decoys for logins without a usable hash. Imported users may have hashes of other costs
 * than new ones; if decoys all had the configured cost, the time of one answer would tell unknown
 * logins apart. So the costs of decoys are distributed like those of the users. One login always
 * gets the same cost, at each instance and after a restart, by a keyed hash whose key is in the
 * database.
 */
@ApplicationScoped
class Decoys {
  private static final Logger LOG = Logger.getLogger(Decoys.class);

  /**
   * Reads the few rows that writers of hashes maintain. It runs apart from logins, because an
   * unknown login would take longer for it.
   */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);
  private static final double UNIT = 0x1.0p-53;

  private final Supplier<byte[]> sharedKey;
  private final Supplier<Map<String, Long>> countByHashHead;
  private final HashingConfig config;
  private final Map<String, StoredHash> byHead = new ConcurrentHashMap<>();
  private Optional<Recurring> reading = Optional.empty();

  private volatile byte[] key = {};

  /** Users with a hash that begins like this and can be verified; replaced as a whole. */
  private volatile Map<String, Long> usersByHead;

  private volatile long readAtNanos = System.nanoTime();
  private long warnAtNanos = System.nanoTime();

  @Inject
  Decoys(UserDirectory users, HashingConfig config, MeterRegistry meters) {
    this(users::decoyKey, users::countByHashHead, config, meters);
  }

  /**
   * @param sharedKey as {@link UserDirectory#decoyKey}
   * @param countByHashHead as {@link UserDirectory#countByHashHead}
   */
  Decoys(
      Supplier<byte[]> sharedKey,
      Supplier<Map<String, Long>> countByHashHead,
      HashingConfig config,
      MeterRegistry meters) {
    this.sharedKey = sharedKey;
    this.countByHashHead = countByHashHead;
    this.config = config;
    this.usersByHead = Map.of(Decoy.head(config.cost()), 1L);
    TimeGauge.builder(
            "spillway.login.decoys.age", this, TimeUnit.NANOSECONDS, decoys -> decoys.ageNanos())
        .description("Since the costs of decoys were last taken from those of users")
        .register(meters);
  }

  /** The first reading has to succeed: without the key an instance would choose by itself. */
  void start(@Observes StartupEvent event) {
    key = sharedKey.get();
    read();
    reading = Optional.of(Recurring.every("decoys", INTERVAL, this::readIfPossible));
  }

  void stop(@Observes ShutdownEvent event) {
    reading.ifPresent(Recurring::close);
  }

  /**
   * @param login in its normal form, if it has one
   */
  StoredHash forLogin(String login) {
    return byHead.computeIfAbsent(head(login), Decoy::of);
  }

  /**
   * Chosen by a login's place between 0 and 1, not by a remainder: one user more moves the bounds
   * between the heads a little, and nearly every login keeps its own.
   */
  private String head(String login) {
    Map<String, Long> counts = usersByHead;
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    double at = place(login) * all;
    String head = Decoy.head(config.cost());
    for (Map.Entry<String, Long> entry : counts.entrySet()) {
      head = entry.getKey();
      at -= entry.getValue();
      if (at < 0) {
        break;
      }
    }
    return head;
  }

  private double place(String login) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(key);
      byte[] digest = sha.digest(login.getBytes(StandardCharsets.UTF_8));
      return (ByteBuffer.wrap(digest).getLong() >>> 11) * UNIT;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  private void readIfPossible() {
    try {
      read();
    } catch (RuntimeException e) {
      if (System.nanoTime() - warnAtNanos >= 0) {
        warnAtNanos = System.nanoTime() + BETWEEN_WARNINGS.toNanos();
        LOG.warn("The costs of users' hashes cannot be read; decoys have those read last", e);
      }
    }
  }

  void read() {
    usersByHead = usable(countByHashHead.get(), config);
    readAtNanos = System.nanoTime();
  }

  private long ageNanos() {
    return System.nanoTime() - readAtNanos;
  }

  /** Versions of bcrypt take the same time. */
  private static Map<String, Long> usable(Map<String, Long> heads, HashingConfig config) {
    Map<String, Long> counts = new TreeMap<>();
    heads.forEach(
        (head, count) -> {
          if (Decoy.isOf(head, config.maxCost())) {
            counts.merge(head.replaceFirst("^\\$2.", "\\$2b"), count, Long::sum);
          }
        });
    return counts.isEmpty() ? Map.of(Decoy.head(config.cost()), 1L) : counts;
  }
}
