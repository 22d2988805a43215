package dev.spillway.core.wire;

import java.util.List;

/**
 * A request as the function reads it: the jobs that can be run, and the answers to those that
 * cannot, so that one bad job does not spoil its neighbours.
 */
public record DigestIntake(List<DigestRequest.Job> runnable, List<DigestReply.Declined> declined) {
  public DigestIntake {
    runnable = List.copyOf(runnable);
    declined = List.copyOf(declined);
  }
}
