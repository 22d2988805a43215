package dev.spillway.lambda;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.core.wire.DigestIntake;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Runs the jobs of one invocation on the engine's lanes, on the invocation's own thread. */
final class DigestBatch {
  private final DigestEngine engine;
  private final Duration reserve;

  DigestBatch(DigestEngine engine, Duration reserve) {
    this.engine = engine;
    this.reserve = reserve;
  }

  /**
   * @param left what is left of the invocation's time
   * @return an answer for every job of the intake; its passwords are wiped
   */
  DigestReply run(DigestIntake intake, Duration left) {
    long start = System.nanoTime();
    long usableNanos = left.minus(reserve).toNanos();
    BooleanSupplier outOfTime = () -> System.nanoTime() - start >= usableNanos;

    List<DigestReply.Result> results = new ArrayList<>(intake.declined());
    Queue<Job> waiting =
        intake.runnable().stream()
            .map(job -> new Job(job, outOfTime, results))
            .collect(Collectors.toCollection(ArrayDeque::new));
    while (!waiting.isEmpty()) {
      engine.run(waiting.remove(), waiting::poll);
    }
    return new DigestReply(results);
  }

  private record Job(
      DigestRequest.Job asked, BooleanSupplier outOfTime, List<DigestReply.Result> results)
      implements DigestJob {
    @Override
    public BcryptSetting setting() {
      return asked.setting();
    }

    @Override
    public byte[] password() {
      return asked.password();
    }

    @Override
    public boolean abandoned() {
      return outOfTime.getAsBoolean();
    }

    @Override
    public void end(DigestResult result) {
      Arrays.fill(asked.password(), (byte) 0);
      results.add(
          switch (result) {
            case DigestResult.Digested(var digest) -> new DigestReply.Computed(asked.id(), digest);
            case DigestResult.Abandoned() ->
                new DigestReply.Declined(asked.id(), DigestReply.Reason.OUT_OF_TIME);
            case DigestResult.Failed failed ->
                new DigestReply.Declined(asked.id(), DigestReply.Reason.INTERNAL);
          });
    }
  }
}
