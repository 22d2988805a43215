package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One admitted hash: it holds a permit from its making until {@link #end}. */
final class PoolJob implements DigestJob {
  private static final long NOT_STARTED = 0;

  private final BcryptSetting setting;
  private final byte[] password;
  private final BooleanSupplier unwanted;
  private final Consumer<DigestResult> onEnd;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final CompletableFuture<DigestResult> result = new CompletableFuture<>();

  /** {@link System#nanoTime} when a hash thread took it. */
  private volatile long startNanos = NOT_STARTED;

  /**
   * @param password copied; the copy is wiped when the job ends
   * @param unwanted whether nobody wants the digest any more; asked often, from the hash thread
   * @param onEnd gives the permit back; runs once, before the result can be seen
   */
  PoolJob(
      BcryptSetting setting,
      byte[] password,
      BooleanSupplier unwanted,
      Consumer<DigestResult> onEnd) {
    this.setting = setting;
    this.password = password.clone();
    this.unwanted = unwanted;
    this.onEnd = onEnd;
  }

  @Override
  public BcryptSetting setting() {
    return setting;
  }

  @Override
  public byte[] password() {
    return password;
  }

  @Override
  public boolean abandoned() {
    return unwanted.getAsBoolean();
  }

  @Override
  public void end(DigestResult outcome) {
    if (ended.compareAndSet(false, true)) {
      Arrays.fill(password, (byte) 0);
      try {
        onEnd.accept(outcome);
      } finally {
        result.complete(outcome); // whatever goes wrong, the caller is told
      }
    }
  }

  void started() {
    startNanos = System.nanoTime() | 1; // never the sentinel
  }

  /** How long it has been worked on; zero before that. */
  Duration elapsed() {
    long start = startNanos;
    return start == NOT_STARTED ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - start);
  }

  /**
   * Waits, interruptibly.
   *
   * @throws TimeoutException if the job has not ended after {@code atMost}
   */
  DigestResult await(Duration atMost) throws InterruptedException, TimeoutException {
    try {
      return result.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // never completed exceptionally
    }
  }
}
