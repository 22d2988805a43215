package dev.spillway.hashing.pool;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One admitted hash, or other work: it holds a permit from its making until {@link #end}. */
final class PoolJob implements DigestJob {
  private static final long NOT_STARTED = 0;
  private static final byte[] NO_PASSWORD = {};

  /** Of bcrypt's length; what a hash of another kind yields is its caller's affair. */
  private static final BcryptSetting NO_SETTING =
      BcryptSetting.parse("$2b$04$" + ".".repeat(BcryptSetting.LENGTH - 7));

  private static final DigestResult DONE =
      new DigestResult.Digested(BcryptDigest.of(".".repeat(BcryptDigest.LENGTH)));

  private final BcryptSetting setting;
  private final Optional<Runnable> work;
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
    this(setting, Optional.empty(), password.clone(), unwanted, onEnd);
  }

  private PoolJob(
      BcryptSetting setting,
      Optional<Runnable> work,
      byte[] password,
      BooleanSupplier unwanted,
      Consumer<DigestResult> onEnd) {
    this.setting = setting;
    this.work = work;
    this.password = password;
    this.unwanted = unwanted;
    this.onEnd = onEnd;
  }

  /** Work that is no bcrypt, and has the thread to itself. */
  static PoolJob of(Runnable work, BooleanSupplier unwanted, Consumer<DigestResult> onEnd) {
    return new PoolJob(NO_SETTING, Optional.of(work), NO_PASSWORD, unwanted, onEnd);
  }

  /** Whether no engine can compute it. */
  boolean isOtherWork() {
    return work.isPresent();
  }

  /** Does what is no bcrypt, unless nobody wants it any more; the result of it. */
  DigestResult doWork() {
    if (abandoned()) {
      return new DigestResult.Abandoned();
    }
    try {
      work.orElseThrow().run();
      return DONE;
    } catch (RuntimeException e) {
      return new DigestResult.Failed(e);
    } catch (OutOfMemoryError e) {
      // Its own array did not fit; thrown on, it would end the hashes in the other lanes too.
      return new DigestResult.Failed(new IllegalStateException(e));
    }
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
