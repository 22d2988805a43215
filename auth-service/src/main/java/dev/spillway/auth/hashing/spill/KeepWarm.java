package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.hashing.spill.balance.Ending;
import dev.spillway.auth.hashing.spill.balance.Ticket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Keeps execution environments warm: at intervals it pings each target that wants it, as many times
 * at once as environments are to be warm. The function holds each ping for a moment, so that those
 * sent together meet one environment each.
 */
final class KeepWarm implements AutoCloseable {
  /*
   * Invariants, each pinned by the test that carries its number in KeepWarmTest:
   *
   *   K1  A ping counts against its target's bound, and is sent only where a call could be: not to a
   *       target that is full, throttled or left alone, and never as its probe.
   *   K2  A call that finds every slot taken is given that of a ping, at once; see Dispatch.
   *   K3  What comes of pings changes nothing in how calls are spread.
   *   K4  Calls and pings outstanding together make up the number wanted: an environment that
   *       computes is warm.
   */
  private static final Logger LOG = Logger.getLogger(Spill.class);

  private final Targets targets;
  private final Dispatch dispatch;
  private final Pings pings;
  private final SpillMeters meters;

  /** Names of those whose last ping failed: there is a line when that changes, not for each. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("keep-warm").factory());

  /** Null while nothing is to be kept warm; guarded by the monitor. */
  private ScheduledFuture<?> rounds;

  KeepWarm(Targets targets, Dispatch dispatch, Pings pings, SpillMeters meters) {
    this.targets = targets;
    this.dispatch = dispatch;
    this.pings = pings;
    this.meters = meters;
  }

  /** By the plan that is in use from now on; its first round begins at once. */
  synchronized void use(SpillPlan plan) {
    if (rounds != null) {
      rounds.cancel(false);
      rounds = null;
    }
    failing.retainAll(plan.targets().keySet());
    if (plan.targets().values().stream().anyMatch(target -> target.keepWarm() > 0)) {
      rounds =
          clock.scheduleAtFixedRate(
              this::round, 0, plan.keepWarmInterval().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }

  private void round() {
    for (TargetState target : targets.states()) {
      int missing = target.leaving() ? 0 : target.plan().keepWarm() - target.outstanding();
      for (int i = 0; i < missing; i++) {
        targets.takeOf(target.name()).ifPresent(this::send);
      }
    }
  }

  private void send(Ticket ticket) {
    Ping ping = new Ping(targets.of(ticket), ticket, this::ended);
    pings.add(ping);
    Thread.startVirtualThread(ping::send); // all at once: signing one takes a while
  }

  private void ended(Ping ping, Ping.Outcome outcome) {
    pings.remove(ping);
    dispatch.end(ping.ticket(), Ending.UNSETTLED);
    SpillTarget target = ping.target();
    meters.pinged(target, outcome, ping.took());
    switch (outcome) {
      case Ping.Outcome.Answered answered -> {
        target.times().met();
        if (failing.remove(target.name())) {
          LOG.infof("Pings that keep %s warm are answered again", target.name());
        }
      }
      case Ping.Outcome.Failed(SpillAnswer.Reason reason) -> {
        if (failing.add(target.name())) {
          LOG.warnf("Pings that keep %s warm fail: %s", target.name(), reason.label());
        }
      }
      case Ping.Outcome.GaveWay gaveWay -> {}
    }
  }
}
