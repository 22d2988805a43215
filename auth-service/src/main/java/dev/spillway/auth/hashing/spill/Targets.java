package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.balance.Choice;
import dev.spillway.auth.hashing.spill.balance.Ending;
import dev.spillway.auth.hashing.spill.balance.LeastOutstanding;
import dev.spillway.auth.hashing.spill.balance.Ticket;
import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** The targets in use, and those that were and still have calls outstanding. */
final class Targets implements AutoCloseable {
  /*
   * Invariants, each pinned by the test that carries its number in ChangesUnderLoadTest:
   *
   *   H1  A target that changes in its bounds only keeps its connections, its calls, and what is
   *       known of it. One that is called elsewhere is another target of the same name.
   *   H2  A removed target's calls end as they would have; its connections are closed when the last
   *       one has ended, once, and not before.
   *   H3  Targets are replaced without a moment at which there is none.
   *   H4  Either every new target can be called, or nothing has changed.
   *
   * A ticket's target is found here as long as the ticket is out: it is entered before the balancer
   * may choose it, and goes when the balancer says that its last call has ended. The monitor is for
   * changes; no request waits for it.
   */
  private static final Logger LOG = Logger.getLogger(Spill.class);

  private final LeastOutstanding balancer;
  private final Function<TargetAddress, LambdaEndpoint> connect;
  private final ConcurrentMap<Integer, SpillTarget> byNumber = new ConcurrentSkipListMap<>();

  /** Those in use. */
  private final ConcurrentMap<String, Integer> numbers = new ConcurrentHashMap<>();

  /** Never used twice; guarded by the monitor. */
  private int next;

  private volatile int slots;

  /**
   * @param balancer without targets
   * @param connect makes what calls an address
   */
  Targets(LeastOutstanding balancer, Function<TargetAddress, LambdaEndpoint> connect) {
    this.balancer = balancer;
    this.connect = connect;
  }

  /** From now on these are the targets. */
  synchronized void use(Map<String, SpillPlan.Target> wanted) {
    Map<String, SpillTarget> added = connected(wanted);
    List<Integer> removed = new ArrayList<>();
    numbers.forEach(
        (name, number) -> {
          if (!wanted.containsKey(name) || added.containsKey(name)) {
            removed.add(number);
          }
        });
    wanted.forEach(
        (name, plan) -> {
          if (!added.containsKey(name)) {
            resize(numbers.get(name), plan);
          }
        });
    added.forEach(this::add);
    numbers.keySet().retainAll(wanted.keySet());
    slots = wanted.values().stream().mapToInt(SpillPlan.Target::maxOutstanding).sum();
    removed.forEach(
        number -> {
          LOG.infof("No longer spilling to %s", byNumber.get(number));
          if (balancer.remove(number)) {
            close(number);
          }
        });
  }

  Choice take() {
    return balancer.take();
  }

  /** Another target than that of a ticket. */
  Choice takeInsteadOf(Ticket first) {
    return balancer.takeInsteadOf(first.target());
  }

  /** This target or none. */
  Optional<Ticket> takeOf(String name) {
    Integer number = numbers.get(name);
    return number == null ? Optional.empty() : balancer.takeOf(number);
  }

  /** The target of a ticket that has not been ended. */
  SpillTarget of(Ticket ticket) {
    return byNumber.get(ticket.target());
  }

  void end(Ticket ticket, Ending ending) {
    if (balancer.end(ticket, ending)) {
      close(ticket.target());
    }
  }

  boolean isEmpty() {
    return numbers.isEmpty();
  }

  /** What a warm call takes at the fastest of them; zero while nobody has answered one. */
  Duration fastest(int cost) {
    return byNumber.values().stream()
        .map(target -> target.times().of(cost))
        .filter(Duration::isPositive)
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** Calls that may be outstanding, over all targets. */
  int slots() {
    return slots;
  }

  /** Calls that could be made now. */
  int free() {
    return balancer.free();
  }

  /** Calls outstanding, over all targets, the leaving ones included. */
  int outstanding() {
    return byNumber.keySet().stream().mapToInt(balancer::outstanding).sum();
  }

  /** Calls outstanding to each target in use. */
  int[] eachOutstanding() {
    return balancer.outstanding();
  }

  /** The target in use under a name; empty if there is none. */
  Optional<TargetState> state(String name) {
    return Optional.ofNullable(numbers.get(name)).map(this::state);
  }

  /** Those in use and those leaving, the older before the newer. */
  List<TargetState> states() {
    return byNumber.keySet().stream().map(this::state).filter(state -> state != null).toList();
  }

  /** Whether the last that was heard of the target in use is that it refuses us. */
  boolean misconfigured(String name) {
    Integer number = numbers.get(name);
    SpillTarget target = number == null ? null : byNumber.get(number);
    return target != null && target.misconfigured();
  }

  /** Closes all connections, whatever is outstanding. */
  @Override
  public synchronized void close() {
    byNumber.keySet().forEach(this::close);
    numbers.clear();
  }

  private Map<String, SpillTarget> connected(Map<String, SpillPlan.Target> wanted) {
    Map<String, SpillTarget> added = new HashMap<>();
    try {
      wanted.forEach(
          (name, plan) -> {
            Integer number = numbers.get(name);
            if (number == null || !byNumber.get(number).isAt(plan.address())) {
              added.put(name, new SpillTarget(name, plan, connect.apply(plan.address())));
            }
          });
    } catch (RuntimeException e) {
      added.values().forEach(target -> target.endpoint().close());
      throw e;
    }
    return added;
  }

  private void add(String name, SpillTarget target) {
    int number = next++;
    byNumber.put(number, target);
    numbers.put(name, number);
    balancer.add(number, target.plan().maxOutstanding());
    LOG.infof("Spilling to %s", target);
  }

  private void resize(int number, SpillPlan.Target plan) {
    SpillTarget old = byNumber.get(number);
    if (!old.plan().equals(plan)) {
      SpillTarget resized = old.with(plan);
      byNumber.put(number, resized);
      balancer.resize(number, plan.maxOutstanding());
      LOG.infof("Spilling to %s", resized);
    }
  }

  private void close(int number) {
    SpillTarget target = byNumber.remove(number);
    if (target != null) {
      target.endpoint().close();
    }
  }

  private TargetState state(int number) {
    SpillTarget target = byNumber.get(number);
    return target == null
        ? null
        : new TargetState(
            target.name(),
            target.plan(),
            balancer.outstanding(number),
            balancer.cooling(number),
            !numbers.containsValue(number));
  }
}
