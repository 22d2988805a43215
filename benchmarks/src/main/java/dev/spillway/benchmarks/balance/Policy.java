package dev.spillway.benchmarks.balance;

import dev.spillway.hashing.spill.balance.Choice;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.balance.Ending;
import dev.spillway.hashing.spill.balance.LeastOutstanding;
import dev.spillway.hashing.spill.balance.Ticket;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/** A way to choose a worker for each request, as one instance of the service does it. */
interface Policy {
  /** A request given to a worker. */
  record Given(int worker, Ticket ticket) {}

  /** Empty if no worker is to be had. */
  Optional<Given> give();

  void ended(Given given, boolean failed);

  /** The kinds compared. */
  enum Kind {
    LEAST("least outstanding (ours)"),
    NO_MEMORY("  failures not counted"),
    FIRST_OF_EQUALS("  ties by position"),
    TWO_CHOICES("two random choices"),
    ROUND_ROBIN("round robin"),
    RANDOM("random");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    Policy over(int workers, LongSupplier nanoClock, SplittableRandom random) {
      return switch (this) {
        case LEAST -> new Least(workers, nanoClock, random::nextInt, true);
        case NO_MEMORY -> new Least(workers, nanoClock, random::nextInt, false);
        case FIRST_OF_EQUALS -> new FirstOfEquals(workers);
        case TWO_CHOICES -> new TwoChoices(workers, random);
        case ROUND_ROBIN -> new RoundRobin(workers);
        case RANDOM -> new Blind(workers, random);
      };
    }
  }

  /** The service's own class. */
  final class Least implements Policy {
    private static final int BOUND = 50;

    private final LeastOutstanding balancer;
    private final boolean failuresCount;

    Least(int workers, LongSupplier nanoClock, IntUnaryOperator below, boolean failuresCount) {
      this.failuresCount = failuresCount;
      this.balancer =
          new LeastOutstanding(
              Collections.nCopies(workers, BOUND),
              new CoolDown(Duration.ofSeconds(1), Duration.ofSeconds(30)),
              nanoClock,
              below);
    }

    @Override
    public Optional<Given> give() {
      return balancer.take() instanceof Choice.Taken(Ticket ticket)
          ? Optional.of(new Given(ticket.target(), ticket))
          : Optional.empty();
    }

    @Override
    public void ended(Given given, boolean failed) {
      balancer.end(given.ticket(), failed && failuresCount ? Ending.FAILED : Ending.ANSWERED);
    }
  }

  /** By outstanding requests, as far as one instance knows them. */
  abstract class Counting implements Policy {
    final int[] outstanding;

    Counting(int workers) {
      this.outstanding = new int[workers];
    }

    abstract int choose();

    @Override
    public final Optional<Given> give() {
      int worker = choose();
      outstanding[worker]++;
      return Optional.of(new Given(worker, null));
    }

    @Override
    public final void ended(Given given, boolean failed) {
      outstanding[given.worker()]--;
    }
  }

  /** A scan that takes the first of the least loaded: every instance the same one. */
  final class FirstOfEquals extends Counting {
    FirstOfEquals(int workers) {
      super(workers);
    }

    @Override
    int choose() {
      int least = 0;
      for (int worker = 1; worker < outstanding.length; worker++) {
        if (outstanding[worker] < outstanding[least]) {
          least = worker;
        }
      }
      return least;
    }
  }

  /** The less busy of two drawn at random. */
  final class TwoChoices extends Counting {
    private final SplittableRandom random;

    TwoChoices(int workers, SplittableRandom random) {
      super(workers);
      this.random = random;
    }

    @Override
    int choose() {
      int one = random.nextInt(outstanding.length);
      int other = random.nextInt(outstanding.length - 1);
      if (other >= one) {
        other++;
      }
      return outstanding[other] < outstanding[one] ? other : one;
    }
  }

  /** One after the other. */
  final class RoundRobin extends Counting {
    private int next;

    RoundRobin(int workers) {
      super(workers);
    }

    @Override
    int choose() {
      next = (next + 1) % outstanding.length;
      return next;
    }
  }

  /** Any. */
  final class Blind extends Counting {
    private final SplittableRandom random;

    Blind(int workers, SplittableRandom random) {
      super(workers);
      this.random = random;
    }

    @Override
    int choose() {
      return random.nextInt(outstanding.length);
    }
  }
}
