package dev.spillway.hashing;

import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.deadline.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Holds every permit of a pool until it is closed. */
public final class BusyPool implements AutoCloseable {
  private static final BcryptSetting ENDLESS = BcryptSetting.parse("$2b$20$CCCCCCCCCCCCCCCCCCCCC.");
  private static final Duration LONG = Duration.ofHours(1);

  private final PooledBcrypt bcrypt;
  private final List<Deadline> deadlines = new ArrayList<>();

  public BusyPool(PooledBcrypt bcrypt) {
    this.bcrypt = bcrypt;
    for (int i = 0; i < bcrypt.pool().size(); i++) {
      Deadline deadline = Deadline.in(LONG);
      deadlines.add(deadline);
      Thread.startVirtualThread(
          () -> bcrypt.pool().digest(ENDLESS, new byte[] {'h'}, LONG, deadline));
    }
    await().until(() -> bcrypt.pool().free() == 0);
  }

  /** Returns when every permit is free. */
  @Override
  public void close() {
    deadlines.forEach(Deadline::abandon);
    await().until(() -> bcrypt.pool().free() == bcrypt.pool().size());
  }
}
