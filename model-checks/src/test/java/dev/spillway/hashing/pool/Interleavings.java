package dev.spillway.hashing.pool;

import java.nio.file.Path;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.LambdaExecutor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.observers.TimelineCoverageType;
import org.pastalab.fray.core.randomness.ControlledRandomProvider;
import org.pastalab.fray.core.scheduler.POSScheduler;

/**
 * Runs concurrent code again and again, each time under another schedule that Fray chooses ("Fray:
 * An Efficient General-Purpose Concurrency Testing Platform for the JVM", 2025).
 *
 * <p>Time is the real one, and a timed wait ends when it is over or when Fray has it granted:
 * Fray's own clock does not reach into java.util.concurrent.
 */
final class Interleavings {
  private static final int SCHEDULES = Integer.getInteger("model.schedules", 500);

  private static final Path REPORT = Path.of("target", "fray-report").toAbsolutePath();

  private Interleavings() {}

  interface Body {
    void run() throws InterruptedException;
  }

  /** Fails with what {@code body} threw under some schedule, or with a deadlock of its threads. */
  static void explore(Body body) {
    Runnable once =
        () -> {
          try {
            body.run();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    once.run(); // classes are initialised before Fray looks
    Throwable found =
        new TestRunner(
                new Configuration(
                    new ExecutionInfo(
                        new LambdaExecutor(
                            () -> {
                              once.run();
                              return kotlin.Unit.INSTANCE;
                            }),
                        /* ignoreUnhandledExceptions= */ false,
                        /* interleaveMemoryOps= */ false,
                        /* maxScheduledStep= */ -1),
                    REPORT,
                    SCHEDULES,
                    /* timeoutSeconds= */ 600,
                    new POSScheduler(),
                    new ControlledRandomProvider(),
                    /* fullSchedule= */ false,
                    /* exploreMode= */ false,
                    /* noExitWhenBugFound= */ true,
                    /* isReplay= */ false,
                    /* noFray= */ false,
                    /* dummyRun= */ false,
                    NetworkDelegateType.NONE,
                    SystemTimeDelegateType.NONE,
                    /* virtualTimeDelta= */ 0,
                    /* ignoreTimedBlock= */ false,
                    /* sleepAsYield= */ true,
                    /* resetClassLoader= */ false,
                    /* redirectStdout= */ false,
                    /* abortThreadExecutionAfterMainExit= */ false,
                    /* resolveRacingOperationStackTraceHash= */ false,
                    TimelineCoverageType.NONE))
            .run();
    if (found != null) {
      throw new AssertionError("under a schedule kept in " + REPORT, found);
    }
  }
}
