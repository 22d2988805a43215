package dev.spillway.auth.gate;

import java.time.Duration;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** The invariants of {@link Gate} that two threads could break, under schedules of Lincheck's. */
class GateModelTest {
  private static final int SCHEDULES = Integer.getInteger("model.schedules", 500);

  /** Shared for Lincheck to see: what a lambda captures it takes for a thread's own. */
  private static volatile Gate gate;

  private static volatile Entry one;
  private static volatile Entry other;

  @Test
  void g1_twoWantTheLastPlace_oneGetsIt() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          gate = gate();
          enter("before");
          both(() -> one = enter("one"), () -> other = enter("other"));
          check(one instanceof Entry.Place != other instanceof Entry.Place);
          check(gate.inside() == 2);
        });
  }

  @Test
  void g2_aPlaceClosedByTwo_isGivenBackOnce() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          gate = gate();
          one = enter("one");
          other = enter("other");
          both(() -> close(one), () -> close(one));
          check(gate.inside() == 1 && gate.networks() == 1);
        });
  }

  @Test
  void g2_comingMeetsLeaving_andLosesNothing() {
    Lincheck.runConcurrentTest(
        SCHEDULES,
        () -> {
          gate = gate();
          one = enter("same");
          both(() -> close(one), () -> other = enter("same"));
          if (other instanceof Entry.Place) {
            check(gate.inside() == 1 && gate.networks() == 1);
            close(other);
          }
          check(gate.inside() == 0 && gate.networks() == 0);
        });
  }

  private static Entry enter(String network) {
    return gate.enter(() -> network);
  }

  private static void close(Entry place) {
    ((Entry.Place) place).close();
  }

  /** Of two places. */
  private static Gate gate() {
    return new Gate(new Two(), Duration.ofSeconds(1), () -> 1, (time, end) -> end.run());
  }

  private static final class Two implements Gate.Capacity {
    @Override
    public int served() {
      return 1;
    }

    @Override
    public int inLine(Duration wait) {
      return 1;
    }

    @Override
    public Duration hashTime() {
      return Duration.ZERO;
    }
  }

  /** Not AssertJ: Lincheck would look into that, too. */
  private static void check(boolean holds) {
    if (!holds) {
      throw new AssertionError();
    }
  }

  private static void both(Runnable here, Runnable there) {
    Thread first = new Thread(here);
    Thread second = new Thread(there);
    first.start();
    second.start();
    try {
      first.join();
      second.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
