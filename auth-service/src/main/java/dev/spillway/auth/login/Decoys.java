package dev.spillway.auth.login;

import dev.spillway.auth.hashing.HashingConfig;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.ParsedHash;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Chooses what a login without a usable hash is held against. Users who were imported may have
 * hashes of other costs than new ones get; if every unknown login were held against the configured
 * cost, the time of one answer would tell them apart. So the costs of decoys are spread as those of
 * the users are, and one login gets the same cost each time: by a keyed hash that nobody outside
 * can compute. The key is this process's own, so another instance may choose another cost for it.
 */
@ApplicationScoped
class Decoys {
  private static final Logger LOG = Logger.getLogger(Decoys.class);
  private static final Duration FRESH = Duration.ofMinutes(10);

  private final Supplier<Map<String, Long>> countByHashHead;
  private final HashingConfig config;
  private final byte[] key = new byte[32];
  private final Map<Integer, BcryptHash> byCost = new ConcurrentHashMap<>();
  private final AtomicLong countAgainNanos = new AtomicLong(System.nanoTime());

  /** Users with a hash of this cost; replaced as a whole. */
  private volatile Map<Integer, Long> usersByCost;

  @Inject
  Decoys(UserDirectory users, HashingConfig config) {
    this(users::countByHashHead, config);
  }

  /**
   * @param countByHashHead as {@link UserDirectory#countByHashHead}
   */
  Decoys(Supplier<Map<String, Long>> countByHashHead, HashingConfig config) {
    this.countByHashHead = countByHashHead;
    this.config = config;
    this.usersByCost = Map.of(config.cost(), 1L);
    new SecureRandom().nextBytes(key);
  }

  /**
   * @param login in its normal form, if it has one
   */
  BcryptHash forLogin(String login) {
    countNowAndThen();
    return byCost.computeIfAbsent(cost(login), Decoy::ofCost);
  }

  private int cost(String login) {
    Map<Integer, Long> counts = usersByCost;
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    long at = Math.floorMod(keyed(login), all);
    for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
      at -= entry.getValue();
      if (at < 0) {
        return entry.getKey();
      }
    }
    throw new IllegalStateException("counts changed while they were added up");
  }

  private long keyed(String login) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(key);
      return ByteBuffer.wrap(sha.digest(login.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /** In the background: no login waits for it. */
  private void countNowAndThen() {
    long due = countAgainNanos.get();
    long now = System.nanoTime();
    if (now - due >= 0 && countAgainNanos.compareAndSet(due, now + FRESH.toNanos())) {
      Thread.ofVirtual().name("count-costs").start(this::count);
    }
  }

  void count() {
    try {
      usersByCost = byCost(countByHashHead.get(), config);
    } catch (RuntimeException e) {
      LOG.debug("Could not count users by cost; the last count stays", e);
    }
  }

  private static Map<Integer, Long> byCost(Map<String, Long> heads, HashingConfig config) {
    Map<Integer, Long> counts = new TreeMap<>();
    heads.forEach(
        (head, count) -> {
          String setting = head + ".".repeat(BcryptSetting.LENGTH - head.length());
          if (ParsedHash.ofSetting(setting, config.maxCost())
              instanceof ParsedHash.ValidSetting(BcryptSetting valid)) {
            counts.merge(valid.cost(), count, Long::sum);
          }
        });
    return counts.isEmpty() ? Map.of(config.cost(), 1L) : counts;
  }
}
