package dev.spillway.auth.hashing.spill.lambda;

import dev.spillway.auth.schedule.Recurring;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.TransportFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * The credentials calls are signed with, resolved and renewed on a thread of their own: looking for
 * them can take seconds, and a caller has less. When they cannot be renewed the last ones stay in
 * use; AWS says if they are no longer good.
 */
public final class SigningCredentials implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(SigningCredentials.class);

  /** The provider answers from memory until renewal is due, minutes ahead of expiry. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private final AwsCredentialsProvider provider;
  private final CountDownLatch looked = new CountDownLatch(1);
  private final Recurring looks;
  private volatile AwsCredentials latest;

  /** Touched by the one thread only. */
  private boolean complained;

  public SigningCredentials(AwsCredentialsProvider provider) {
    this.provider = provider;
    this.looks = Recurring.fromNow("aws-credentials", BETWEEN_LOOKS, this::look);
  }

  /** Returns when they have been looked for once, or after {@code atMost}. */
  void awaitFirstLook(Duration atMost) throws InterruptedException {
    if (looked.getCount() > 0) {
      looked.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /**
   * @throws TransportFailure if none have been found yet
   */
  AwsCredentials latest() {
    AwsCredentials found = latest;
    if (found == null) {
      throw new TransportFailure(SpillAnswer.Reason.MISCONFIGURED);
    }
    return found;
  }

  @Override
  public void close() {
    looks.close();
    if (provider instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  private void look() {
    try {
      latest = provider.resolveCredentials();
      complained = false;
    } catch (RuntimeException e) {
      if (!complained) {
        complained = true;
        LOG.errorf("No AWS credentials to sign spilled work with: %s", e.getMessage());
      }
    } finally {
      looked.countDown();
    }
  }
}
