package dev.spillway.auth;

import static org.awaitility.Awaitility.await;

import dev.spillway.auth.deadline.Deadline;
import dev.spillway.auth.hashing.pool.HashPool;
import dev.spillway.core.bcrypt.BcryptSetting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every permit of a pool, taken by hashes of a minute until it is closed. */
public final class HeldPool implements AutoCloseable {
  private static final BcryptSetting ENDLESS = BcryptSetting.parse("$2b$20$CCCCCCCCCCCCCCCCCCCCC.");
  private static final Duration LONG = Duration.ofMinutes(10);

  private final HashPool pool;
  private final List<Deadline> deadlines = new ArrayList<>();

  private HeldPool(HashPool pool) {
    this.pool = pool;
  }

  /** Returns once no permit is free, nor any of these hashes in line behind what ends by itself. */
  public static HeldPool hold(HashPool pool) {
    HeldPool held = new HeldPool(pool);
    for (int i = 0; i < pool.size(); i++) {
      Deadline deadline = Deadline.in(LONG);
      held.deadlines.add(deadline);
      Thread.startVirtualThread(() -> pool.digest(ENDLESS, new byte[] {'h'}, LONG, deadline));
    }
    await().until(() -> pool.free() == 0 && pool.waiting() == 0);
    return held;
  }

  /** Returns once every permit is free. */
  @Override
  public void close() {
    deadlines.forEach(Deadline::abandon);
    await().until(() -> pool.free() == pool.size());
  }
}
