package dev.spillway.auth;

import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every permit of a pool, taken by hashes of a minute until it is closed. */
public final class HeldPool implements AutoCloseable {
  /** Of each of these hashes. */
  public static final int COST = 20;

  private static final BcryptSetting ENDLESS =
      BcryptSetting.parse("$2b$" + COST + "$CCCCCCCCCCCCCCCCCCCCC.");

  /** More than a hash of this cost may seem to take on a machine that is held up. */
  private static final Duration LONG = Duration.ofDays(1);

  private final HashPool pool;
  private final List<Deadline> deadlines = new ArrayList<>();

  private HeldPool(HashPool pool) {
    this.pool = pool;
  }

  /** Returns once no permit is free, nor any of these hashes in line behind what ends by itself. */
  public static HeldPool hold(HashPool pool) {
    HeldPool held = new HeldPool(pool);
    List<Thread> holders = new ArrayList<>();
    for (int i = 0; i < pool.size(); i++) {
      Deadline deadline = Deadline.in(LONG);
      held.deadlines.add(deadline);
      holders.add(
          Thread.startVirtualThread(() -> pool.digest(ENDLESS, new byte[] {'h'}, LONG, deadline)));
    }
    // In this order: who sleeps is in line or holds a permit, and whose line is empty holds one.
    await()
        .until(
            () ->
                holders.stream().allMatch(HeldPool::sleeps)
                    && pool.waiting() == 0
                    && pool.free() == 0);
    return held;
  }

  private static boolean sleeps(Thread holder) {
    return holder.getState() == Thread.State.TIMED_WAITING;
  }

  /** Returns once every permit is free. */
  @Override
  public void close() {
    deadlines.forEach(Deadline::abandon);
    await().until(() -> pool.free() == pool.size());
  }
}
