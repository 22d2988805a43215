package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.ConnectException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./spillway run} ended by a supervisor, in the middle of logins. */
@Timeout(180)
class RunDrainIT {
  /** Nothing of it was in flight: the port had been closed when it came. */
  private static final int TOO_LATE = 0;

  @TempDir Path data;

  @Test
  void sigterm_answersWhatIsInFlight_leavesNoProcess_andEndsWith0() throws Exception {
    try (Running service = Running.start(data);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<ProcessHandle> all = service.descendants();
      List<Future<Integer>> inFlight = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        inFlight.add(clients.submit(() -> login(service)));
      }
      await().until(() -> inFlight.stream().anyMatch(Future::isDone));

      assertThat(service.terminate()).isZero();

      for (Future<Integer> one : inFlight) {
        assertThat(one.get()).isIn(200, 503, TOO_LATE);
      }
      await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }
  }

  private static int login(Running service) throws Exception {
    try {
      return service.login("demo", "demo-password").statusCode();
    } catch (ConnectException e) {
      return TOO_LATE;
    }
  }
}
