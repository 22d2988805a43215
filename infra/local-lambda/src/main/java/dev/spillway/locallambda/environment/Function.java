package dev.spillway.locallambda.environment;

import dev.spillway.locallambda.environment.Environment.State;
import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A deployed function: its environments, and the concurrency they share. */
public final class Function implements AutoCloseable {
  /*
   * Invariants, each pinned by the test that carries its number in FunctionTest:
   *
   *   F1  At most `concurrency` permits are out, one per environment that is busy or in init. The
   *       caller over the limit is refused at once; nobody stands in line.
   *   F2  At most `concurrency` environments are live. A permit holder starts one only after it
   *       found none idle, and an environment goes idle before its permit comes back.
   *   F3  Taking an environment off `idle` is the claim on it: one caller, or the reaper.
   *   F4  The environment that went idle last is taken first, so that the others can age.
   *   F5  A permit comes back when its environment has asked for the next event or has died, once.
   *
   * The caller is answered after F5 wherever that takes no longer than `settle`. Answered at
   * /response, a caller's next call could meet its own environment still on the way to /next, and
   * be throttled or start another: on Lambda the network between the two hides that.
   */
  private final FunctionSettings settings;
  private final Account account;
  private final Limits limits;
  private final Launch launch;
  private final Consumer<String> log;
  private final Semaphore permits;
  // Of the deques the one under a lock: F2 needs "none idle" to have been true at one instant.
  private final LinkedBlockingDeque<Environment> idle = new LinkedBlockingDeque<>();
  private final Set<Environment> live = ConcurrentHashMap.newKeySet();
  private final AtomicInteger number = new AtomicInteger();
  private final Counters counters = Counters.zero();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("local-lambda-clock").factory());
  private volatile boolean closed;

  Function(
      FunctionSettings settings,
      Account account,
      Limits limits,
      Launch launch,
      Consumer<String> log) {
    this.settings = settings;
    this.account = account;
    this.limits = limits;
    this.launch = launch;
    this.log = log;
    this.permits = new Semaphore(limits.concurrency());
    long period = Math.clamp(limits.idle().toMillis() / 4, 10, 10_000);
    var _ = clock.scheduleWithFixedDelay(this::reap, period, period, TimeUnit.MILLISECONDS);
  }

  public FunctionSettings settings() {
    return settings;
  }

  /** Runs the event now, or refuses it. */
  public Reply invoke(Event event) {
    if (!permits.tryAcquire()) {
      counters.throttles().increment();
      return new Reply.Throttled(limits.reserved());
    }
    return admitted(event);
  }

  /** Runs the event as soon as there is a permit, which is what Lambda's event queue amounts to. */
  public void enqueue(Event event) {
    Thread.ofVirtual()
        .name("local-lambda-event")
        .start(
            () -> {
              permits.acquireUninterruptibly();
              admitted(event);
            });
  }

  private Reply admitted(Event event) {
    counters.invocations().increment();
    Reply reply = run(event);
    if (reply instanceof Reply.Failed) {
      counters.functionErrors().increment();
    }
    return reply;
  }

  private Reply run(Event event) {
    for (Environment warm = idle.pollFirst(); warm != null; warm = idle.pollFirst()) {
      var invocation = Invocation.of(event, Instant.now().plus(settings.timeout()));
      if (warm.deliver(invocation)) {
        return await(warm, invocation, settings.timeout());
      }
    }
    return cold(event);
  }

  private Reply cold(Event event) {
    counters.coldStarts().increment();
    if (launch.refusal().isPresent()) {
      permits.release();
      return Reply.failed(
          "Runtime.InvalidEntrypoint",
          "RequestId: %s Error: fork/exec /var/task/bootstrap: %s"
              .formatted(event.requestId(), launch.refusal().get()));
    }
    Environment first =
        start(
            slow(event, Mishap.SLOW_INIT, Mishap.NO_INIT)
                ? launch.after(over(limits.init()))
                : launch);
    Init outcome = first.awaitInit(limits.init());
    if (outcome instanceof Init.Ready) {
      return initialised(first, event, settings.timeout());
    }
    abandon(first, outcome, limits.init());
    if (closed) {
      permits.release();
      return Reply.failed("Sandbox.Failure", "local-lambda is closing");
    }
    // Init is tried once more inside the invocation, now under the function's own timeout.
    long begun = System.nanoTime();
    Environment second =
        start(slow(event, Mishap.NO_INIT) ? launch.after(over(settings.timeout())) : launch);
    outcome = second.awaitInit(settings.timeout());
    if (outcome instanceof Init.Ready) {
      return initialised(second, event, settings.timeout().minus(spent(begun)));
    }
    abandon(second, outcome, settings.timeout());
    permits.release();
    return switch (outcome) {
      case Init.Broken broken -> broken.reply(event.requestId());
      case Init.TooLong() -> timedOut(event);
      case Init.Ready() -> throw new IllegalStateException("handled above");
    };
  }

  private static boolean slow(Event event, Mishap... mishaps) {
    return List.of(mishaps).contains(event.mishap());
  }

  private static Duration over(Duration limit) {
    return limit.plusSeconds(1);
  }

  private Environment start(Launch chosen) {
    long begun = System.nanoTime();
    String name = settings.name() + "/" + number.incrementAndGet();
    Environment environment;
    try {
      environment = Environment.start(name, settings, account, chosen, log);
    } catch (IOException e) {
      permits.release();
      throw new UncheckedIOException("cannot start an environment", e);
    }
    counters.started().increment();
    live.add(environment);
    environment.dead().thenRun(() -> gone(environment));
    environment
        .ready()
        .thenRun(
            () ->
                log.accept(
                    "cold start: %s pid %d ready in %d ms"
                        .formatted(name, environment.pid(), spent(begun).toMillis())));
    if (closed) {
      environment.close();
    }
    return environment;
  }

  private void abandon(Environment environment, Init outcome, Duration limit) {
    if (outcome instanceof Init.TooLong) {
      log.accept(
          "init of %s pid %d took more than %d ms: killed"
              .formatted(environment.name(), environment.pid(), limit.toMillis()));
    }
    environment.close();
    environment.dead().join();
  }

  /** The permit is the event's from here on. */
  private Reply initialised(Environment environment, Event event, Duration budget) {
    var invocation = Invocation.of(event, Instant.now().plus(budget));
    if (environment.deliver(invocation)) {
      return await(environment, invocation, budget);
    }
    permits.release();
    return environment.exitStatus().reply(event.requestId());
  }

  private Reply await(Environment environment, Invocation invocation, Duration budget) {
    Event event = invocation.event();
    long begun = System.nanoTime();
    ScheduledFuture<?> alarm =
        clock.schedule(
            () -> expire(environment, invocation), budget.toNanos(), TimeUnit.NANOSECONDS);
    CompletableFuture<Void> settled =
        invocation
            .over()
            .thenAccept(
                alive -> {
                  alarm.cancel(false);
                  if (alive) {
                    idle.addFirst(environment);
                  }
                  permits.release();
                });
    Reply reply = invocation.reply().join();
    try {
      settled.get(limits.settle().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      // Still at work after its answer. Its deadline stands, its caller need not wait for it.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("event " + event.requestId(), e);
    }
    event.logTail().accept(LogTail.of(event, settings, environment.logTail(), spent(begun)));
    return reply;
  }

  private static Duration spent(long begunNanos) {
    return Duration.ofNanos(System.nanoTime() - begunNanos);
  }

  private void expire(Environment environment, Invocation invocation) {
    if (environment.expire(invocation, timedOut(invocation.event()))) {
      counters.timeouts().increment();
      log.accept(
          "timeout: %s pid %d killed after %d ms"
              .formatted(environment.name(), environment.pid(), settings.timeout().toMillis()));
    }
  }

  private Reply timedOut(Event event) {
    double seconds = settings.timeout().toMillis() / 1000.0;
    return Reply.failed(
        "Sandbox.Timedout",
        String.format(
            Locale.ROOT,
            "RequestId: %s Error: Task timed out after %.2f seconds",
            event.requestId(),
            seconds));
  }

  private void gone(Environment environment) {
    live.remove(environment);
    idle.remove(environment);
    if (environment.crashed()) {
      counters.crashes().increment();
      log.accept(
          "crash: %s pid %d ended with %s"
              .formatted(environment.name(), environment.pid(), environment.exitStatus()));
    }
  }

  private void reap() {
    idle.descendingIterator()
        .forEachRemaining(
            environment -> {
              if (environment.idle().compareTo(limits.idle()) > 0 && idle.remove(environment)) {
                environment.close();
              }
            });
  }

  public FunctionReport report() {
    List<Environment> now = List.copyOf(live);
    List<State> states = now.stream().map(Environment::state).toList();
    return new FunctionReport(
        settings.name(),
        limits.concurrency(),
        counters.started().sum(),
        now.size(),
        count(states, State.INIT),
        count(states, State.BUSY),
        count(states, State.FROZEN),
        counters.coldStarts().sum(),
        counters.invocations().sum(),
        counters.throttles().sum(),
        counters.functionErrors().sum(),
        counters.timeouts().sum(),
        counters.crashes().sum(),
        now.stream().map(Environment::pid).sorted().toList());
  }

  private static long count(List<State> states, State state) {
    return states.stream().filter(state::equals).count();
  }

  /** Kills every environment and waits until the last is gone. */
  @Override
  public void close() {
    closed = true;
    clock.shutdownNow();
    for (Environment environment : live) {
      environment.close();
    }
    for (Environment environment : live) {
      environment.dead().join();
    }
  }
}
