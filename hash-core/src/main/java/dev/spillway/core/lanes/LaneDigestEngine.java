package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;

/**
 * bcrypt in plain Java on up to {@value #MAX_LANES} jobs side by side in one thread. A round of
 * Blowfish waits for four loads that depend on the round before; independent jobs fill the wait.
 * Crackers have long done so (John the Ripper's bcrypt interleaves); figures are in
 * benchmarks/results.
 *
 * <p>Get one from {@link Engines#proven}, which does not trust it blindly.
 */
public final class LaneDigestEngine implements DigestEngine {
  public static final int MAX_LANES = Kernel.MAX_LANES;

  private final int lanes;

  /**
   * @param lanes 1 to {@value #MAX_LANES}
   */
  public LaneDigestEngine(int lanes) {
    if (lanes < 1 || lanes > MAX_LANES) {
      throw new IllegalArgumentException("lanes outside 1.." + MAX_LANES);
    }
    this.lanes = lanes;
  }

  @Override
  public String name() {
    return "lanes-" + lanes;
  }

  @Override
  public int lanes() {
    return lanes;
  }

  @Override
  public void run(DigestJob first, Backlog backlog) {
    new LaneRun(lanes, backlog).run(first);
  }
}
