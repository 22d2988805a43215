package dev.spillway.core.wire;

import java.util.List;

/**
 * A request as the function reads it: the jobs to run, and the answers to bad jobs, so that one bad
 * job does not fail the others.
 */
public record DigestIntake(List<DigestRequest.Job> runnable, List<DigestReply.Declined> declined) {
  public DigestIntake {
    runnable = List.copyOf(runnable);
    declined = List.copyOf(declined);
  }
}
