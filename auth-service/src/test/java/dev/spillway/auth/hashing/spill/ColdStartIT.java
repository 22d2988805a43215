package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.locallambda.LocalLambda;
import dev.spillway.locallambda.LocalLambdaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many execution environments a spill opens: real processes, none of them there before. */
@QuarkusTest
@Timeout(180)
class ColdStartIT {
  private static final int BOUND = 3;
  private static final SpillAnswer RIGHT =
      new SpillAnswer.Computed(
          new SpringDigestEngine().digest(SpillCalls.SETTING, SpillCalls.PASSWORD));

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private LocalLambda lambda;

  @BeforeEach
  void start() throws Exception {
    System.setProperty("aws.accessKeyId", "local");
    System.setProperty("aws.secretAccessKey", "local");
    Path template = Path.of("").toAbsolutePath().getParent().resolve("template.yaml");
    // Room for more than may be needed: what bounds them is to be the spill.
    lambda =
        LocalLambda.start(
            LocalLambdaConfig.of(template)
                .parameter("Sealing", "no")
                .concurrency(3 * BOUND)
                .build());
  }

  @AfterEach
  void stop() {
    lambda.close();
  }

  @Test
  void aBurst_opensNoMoreThanItHasCallsOutstanding_andTheNextOpensNone() throws Exception {
    try (Spill spill = spill()) {
      List<SpillAnswer> first = burst(spill, 4 * BOUND);
      assertThat(first).contains(RIGHT);
      double calls = count("spillway.spill.call");
      assertThat(lambda.report("HashFunction").coldStarts())
          .as("one for each call, retries included")
          .isBetween(1L, (long) BOUND)
          .isLessThanOrEqualTo((long) calls);
      long opened = lambda.report("HashFunction").coldStarts();
      assertThat(count("spillway.spill.cold"))
          .as("first calls are timed apart")
          .isGreaterThanOrEqualTo(opened);
      double cold = count("spillway.spill.cold");

      assertThat(burst(spill, (int) opened)).containsOnly(RIGHT);

      assertThat(lambda.report("HashFunction").coldStarts()).isEqualTo(opened);
      assertThat(count("spillway.spill.cold")).isEqualTo(cold);
      assertThat(spill.outstanding()).isZero();
    }
  }

  private Spill spill() {
    SpillCalls.Target target =
        new SpillCalls.Target(
            lambda.functionArn("HashFunction"),
            Optional.of("eu-central-1"),
            Optional.of(lambda.endpoint()),
            BOUND);
    return new SpillWiring()
        .spill(new SpillCalls.Config(Map.of("local", target)), SpillCalls.NO_COOL_DOWN, meters);
  }

  private static List<SpillAnswer> burst(Spill spill, int callers) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SpillAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        answers.add(
            threads.submit(
                () ->
                    spill.digest(
                        SpillCalls.SETTING,
                        SpillCalls.PASSWORD,
                        Deadline.in(Duration.ofSeconds(60)))));
      }
      List<SpillAnswer> all = new ArrayList<>();
      for (Future<SpillAnswer> answer : answers) {
        all.add(answer.get());
      }
      return all;
    }
  }

  private double count(String name) {
    return meters.find(name).timers().stream().mapToLong(timer -> timer.count()).sum();
  }
}
