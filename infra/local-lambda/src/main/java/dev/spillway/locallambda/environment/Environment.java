package dev.spillway.locallambda.environment;

import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * An execution environment: one process, the Runtime API it talks to, and at most one event in
 * flight.
 */
final class Environment implements RuntimeApi.Runtime, AutoCloseable {
  /*
   * Invariants, each pinned by the test that carries its number in EnvironmentTest:
   *
   *   E1  The process is stopped (SIGSTOP, the whole group) exactly while it waits in /next with
   *       nothing to do. Not at /response: a runtime may still be busy between the two, and a
   *       runtime stopped there would be charged for it by the next event.
   *   E2  It is continued before the event is handed over. The stop happens before `waiting` is
   *       published, so no hand-over can overtake its own freeze.
   *   E3  An event ends exactly once, by answer, deadline or death: whoever completes the reply
   *       first. Nothing is handed to a dead environment: death and hand-over share the lock.
   *   E4  When the environment is dead, so is its process group, frozen or not.
   */
  enum State {
    INIT,
    FROZEN,
    BUSY,
    DEAD
  }

  private final String name;
  private final RuntimeApi api;
  private final boolean sandboxed;
  private final Process process;
  private final FunctionLog log;
  private final CompletableFuture<Init> init = new CompletableFuture<>();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> dead = new CompletableFuture<>();

  // All guarded by this.
  private State state = State.INIT;
  private boolean closing;
  private boolean crashed;
  private Optional<Invocation> current = Optional.empty();
  private Optional<Reply.Failed> initError = Optional.empty();
  private CompletableFuture<Invocation> waiting = new CompletableFuture<>();

  private volatile long idleSinceNanos;

  private Environment(
      String name, FunctionSettings function, Account account, Launch launch, Consumer<String> sink)
      throws IOException {
    this.name = name;
    this.sandboxed = launch.sandboxed();
    this.api = new RuntimeApi(this);
    try {
      var builder =
          new ProcessBuilder(launch.command()).directory(launch.workingDirectory().toFile());
      builder.redirectErrorStream(true);
      builder.environment().clear();
      builder.environment().putAll(EnvironmentVariables.of(function, account, launch));
      builder.environment().put("AWS_LAMBDA_RUNTIME_API", api.address());
      this.process = Forker.fork(builder);
    } catch (IOException e) {
      api.close();
      throw e;
    }
    this.log = new FunctionLog("[" + name + " " + process.pid() + "] ", sink);
  }

  /** Forks the process; it is in init until it asks for its first event. */
  static Environment start(
      String name, FunctionSettings function, Account account, Launch launch, Consumer<String> sink)
      throws IOException {
    var environment = new Environment(name, function, account, launch, sink);
    environment.watch();
    return environment;
  }

  /** Not in the constructor: a call that came before `process` is set would find none to stop. */
  private void watch() {
    api.open();
    process.getOutputStream(); // stdin stays open and silent, as on Lambda
    log.follow(process.getInputStream());
    process.onExit().thenAccept(ended -> died(new ExitStatus(ended.exitValue())));
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  synchronized State state() {
    return state;
  }

  String logTail() {
    return log.tail();
  }

  Duration idle() {
    return Duration.ofNanos(System.nanoTime() - idleSinceNanos);
  }

  /** Completed at the first /next; never, where init fails. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  /** Completed when the process is gone. */
  CompletableFuture<Void> dead() {
    return dead;
  }

  /** Waits for the first /next. Does not kill on {@link Init.TooLong}: that is the caller's. */
  Init awaitInit(Duration limit) {
    try {
      return init.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return new Init.TooLong();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Init.TooLong();
    } catch (ExecutionException e) {
      throw new IllegalStateException("init never fails, it has outcomes", e);
    }
  }

  /** Hands the event over; false, and nothing happened, where the environment is dead. */
  boolean deliver(Invocation invocation) {
    CompletableFuture<Invocation> runtime;
    synchronized (this) {
      if (state != State.FROZEN) {
        return false;
      }
      state = State.BUSY;
      current = Optional.of(invocation);
      runtime = waiting;
      signal(Signals.CONTINUE);
    }
    runtime.complete(invocation);
    return true;
  }

  /** Ends the environment, and the event by {@code reply}; false where the event is over. */
  boolean expire(Invocation invocation, Reply reply) {
    synchronized (this) {
      if (current.filter(other -> other == invocation).isEmpty()) {
        return false;
      }
      closing = true;
    }
    invocation.reply().complete(reply);
    close();
    return true;
  }

  @Override
  public Optional<Invocation> next() {
    CompletableFuture<Invocation> event = new CompletableFuture<>();
    Optional<Invocation> finished;
    synchronized (this) {
      if (state == State.DEAD || closing) {
        return Optional.empty();
      }
      finished = current;
      current = Optional.empty();
      signal(Signals.STOP);
      waiting = event;
      state = State.FROZEN;
      idleSinceNanos = System.nanoTime();
    }
    ready.complete(null);
    init.complete(new Init.Ready());
    finished.ifPresent(invocation -> invocation.end(noAnswer(invocation), true));
    try {
      return Optional.of(event.join());
    } catch (CancellationException e) {
      return Optional.empty();
    }
  }

  private static Reply noAnswer(Invocation invocation) {
    return Reply.failed(
        "Runtime.Unknown",
        "RequestId: " + invocation.id() + " Error: the runtime asked for the next event first");
  }

  @Override
  public boolean answered(String id, Reply reply) {
    Optional<Invocation> addressed;
    synchronized (this) {
      addressed = current.filter(invocation -> invocation.id().equals(id));
    }
    addressed.ifPresent(invocation -> end(invocation, reply));
    return addressed.isPresent();
  }

  /** By its answer, unless a mishap is to come first. */
  private void end(Invocation invocation, Reply reply) {
    switch (invocation.event().mishap()) {
      case CRASH -> signal(Signals.KILL);
      case EXIT -> {
        askToEnd();
        // One that does not is helped, as after a failed init.
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> signal(Signals.KILL));
      }
      case SLOW -> {
        long took = System.nanoTime() - invocation.begunNanos();
        invocation.reply().completeOnTimeout(reply, 9 * took, TimeUnit.NANOSECONDS).join();
      }
      case NONE, SLOW_INIT, NO_INIT -> invocation.reply().complete(reply);
    }
  }

  @Override
  public void initFailed(Reply.Failed reply) {
    synchronized (this) {
      initError = Optional.of(reply);
    }
    // The runtime has to exit now. One that does not is helped.
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(this::close);
  }

  private void died(ExitStatus status) {
    Optional<Invocation> lost;
    Optional<Reply.Failed> reported;
    CompletableFuture<Invocation> runtime;
    synchronized (this) {
      state = State.DEAD;
      crashed = !closing;
      lost = current;
      current = Optional.empty();
      reported = initError;
      runtime = waiting;
    }
    if (Forker.ownGroup()) {
      Signals.group(process.pid(), Signals.KILL); // what the leader left behind
    }
    Forker.ended(process);
    runtime.cancel(false);
    api.close();
    init.complete(new Init.Broken(reported, status));
    dead.complete(null);
    lost.ifPresent(invocation -> invocation.end(status.reply(invocation.id()), false));
  }

  ExitStatus exitStatus() {
    return new ExitStatus(process.exitValue());
  }

  /** Whether the process ended by itself and not because we ended it. */
  synchronized boolean crashed() {
    return crashed;
  }

  /** Asks the process to end by itself (SIGTERM), awake. */
  void terminate() {
    synchronized (this) {
      closing = true;
    }
    signal(Signals.CONTINUE);
    askToEnd();
  }

  /** Not the sandbox's own process: it would obey, and take the function's along unasked. */
  private void askToEnd() {
    if (sandboxed) {
      process.descendants().forEach(member -> Signals.process(member.pid(), Signals.TERM));
    } else {
      signal(Signals.TERM);
    }
  }

  /** Kills the process group; {@link #dead()} follows. */
  @Override
  public void close() {
    synchronized (this) {
      closing = true;
    }
    signal(Signals.KILL);
    process.destroyForcibly(); // the group does not exist yet between fork and setsid
  }

  private void signal(int signal) {
    if (!process.isAlive()) {
      return;
    }
    if (Forker.ownGroup()) {
      Signals.group(process.pid(), signal);
    } else {
      Signals.process(process.pid(), signal);
      process.descendants().forEach(child -> Signals.process(child.pid(), signal));
    }
  }
}
