package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;

/** One call of {@link LaneDigestEngine#run}: the lanes, the jobs in them, and their comings. */
final class LaneRun {
  /*
   * Invariants, each pinned by the test that carries its number in LaneRunTest:
   *
   *   L1  Every job taken ends exactly once, whatever becomes of its neighbours: its lane is given
   *       up before it is told.
   *   L2  Lanes 0 to busy - 1 hold a job, the others none. So `busy` alone chooses the kernel, and
   *       a job that is alone runs one-lane code.
   *   L3  Between two looks at the backlog and at abandoned() lies one chunk, however many
   *       expansions a neighbour still has to do.
   *   L4  A lane without a job holds nothing of a password.
   *
   * Confined to the calling thread.
   */

  /**
   * Expansions with key and salt between two looks around: 0.3 to 1.5 ms on the machines measured,
   * and a divisor of the least number a job can ask for, so that every chunk is whole.
   */
  static final int CHUNK = 8;

  private final Backlog backlog;
  private final LaneState[] lanes;
  private final DigestJob[] jobs;
  private int busy;

  LaneRun(int laneCount, Backlog backlog) {
    this.backlog = backlog;
    this.lanes = new LaneState[laneCount];
    this.jobs = new DigestJob[laneCount];
  }

  void run(DigestJob first) {
    try {
      admit(first);
      fill();
      while (busy > 0) {
        Kernel.expand(lanes, busy, CHUNK);
        release();
        fill();
      }
    } catch (Throwable bug) {
      // The backlog or a job broke its contract, or memory ran out.
      while (busy > 0) {
        try {
          vacate(busy - 1).end(failed(bug));
        } catch (RuntimeException another) {
          bug.addSuppressed(another);
        }
      }
      throw bug;
    }
  }

  /** How many lanes hold a job. */
  int busy() {
    return busy;
  }

  /** Lane number {@code lane}, or null if it never held a job. */
  LaneState lane(int lane) {
    return lanes[lane];
  }

  private void fill() {
    while (busy < lanes.length) {
      DigestJob next = backlog.poll();
      if (next == null) {
        return;
      }
      admit(next);
    }
  }

  /** Gives the job a lane, or ends it. */
  private void admit(DigestJob job) {
    DigestResult refusal;
    try {
      if (job.abandoned()) {
        refusal = new DigestResult.Abandoned();
      } else {
        begin(job);
        return;
      }
    } catch (Throwable e) {
      refusal = failed(e);
    }
    job.end(refusal);
  }

  private static DigestResult.Failed failed(Throwable cause) {
    return new DigestResult.Failed(
        cause instanceof RuntimeException e ? e : new IllegalStateException(cause));
  }

  private void begin(DigestJob job) {
    byte[] password = job.password();
    if (password.length > BcryptHash.MAX_PASSWORD_BYTES) {
      throw new IllegalArgumentException(
          "password over " + BcryptHash.MAX_PASSWORD_BYTES + " bytes");
    }
    if (lanes[busy] == null) {
      lanes[busy] = new LaneState();
    }
    lanes[busy].begin(job.setting(), password);
    jobs[busy] = job;
    busy++;
  }

  /** Ends the jobs that are done or no longer wanted. */
  private void release() {
    for (int lane = busy - 1; lane >= 0; lane--) {
      DigestResult result;
      if (lanes[lane].remaining == 0) {
        result = new DigestResult.Digested(lanes[lane].digest());
      } else if (jobs[lane].abandoned()) {
        result = new DigestResult.Abandoned();
      } else {
        continue;
      }
      vacate(lane).end(result);
    }
  }

  /** Empties a lane, moving the last busy one into its place. */
  private DigestJob vacate(int lane) {
    DigestJob job = jobs[lane];
    LaneState emptied = lanes[lane];
    emptied.wipe();
    busy--;
    lanes[lane] = lanes[busy];
    jobs[lane] = jobs[busy];
    lanes[busy] = emptied;
    jobs[busy] = null;
    return job;
  }
}
