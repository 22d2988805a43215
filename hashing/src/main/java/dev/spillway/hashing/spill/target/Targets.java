package dev.spillway.hashing.spill.target;

import dev.spillway.hashing.spill.balance.Choice;
import dev.spillway.hashing.spill.balance.Ending;
import dev.spillway.hashing.spill.balance.LeastOutstanding;
import dev.spillway.hashing.spill.balance.Ticket;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The targets, fixed at the start, and the balancer that chooses among them. */
public final class Targets {
  private final LeastOutstanding balancer;

  /** A target's index is its number in the balancer. */
  private final List<SpillTarget> all;

  /**
   * @param balancer with the bounds of these targets, in the same order
   */
  public Targets(LeastOutstanding balancer, List<SpillTarget> targets) {
    this.balancer = balancer;
    this.all = List.copyOf(targets);
  }

  public Choice take() {
    return balancer.take();
  }

  /** Another target than that of a ticket. */
  public Choice takeInsteadOf(Ticket first) {
    return balancer.takeInsteadOf(first.target());
  }

  public SpillTarget of(Ticket ticket) {
    return all.get(ticket.target());
  }

  public void end(Ticket ticket, Ending ending) {
    balancer.end(ticket, ending);
  }

  public List<SpillTarget> all() {
    return all;
  }

  /** What a warm call takes at the fastest of them; zero while nobody has answered one. */
  public Duration fastest(int cost) {
    return all.stream()
        .map(target -> target.times().of(cost))
        .filter(Duration::isPositive)
        .min(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  /** Calls that may be outstanding, over all targets. */
  public int slots() {
    return all.stream().mapToInt(target -> target.maxOutstanding()).sum();
  }

  /** Calls that could be made now. */
  public int free() {
    return balancer.free();
  }

  /** Calls outstanding, over all targets. */
  public int outstanding() {
    return IntStream.of(balancer.outstanding()).sum();
  }

  /** Each of them, the calls outstanding all at one moment. */
  public List<SpillState.Target> state() {
    int[] outstanding = balancer.outstanding();
    return IntStream.range(0, all.size())
        .mapToObj(
            number -> {
              SpillTarget target = all.get(number);
              return new SpillState.Target(
                  target.name(),
                  outstanding[number],
                  target.maxOutstanding(),
                  balancer.cooling(number),
                  target.misconfigured());
            })
        .toList();
  }
}
