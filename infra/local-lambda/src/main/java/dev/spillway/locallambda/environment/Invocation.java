package dev.spillway.locallambda.environment;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/**
 * An event inside an environment.
 *
 * @param begunNanos as {@link System#nanoTime}
 * @param reply completed once: by the runtime's answer, by the deadline or by the process's end,
 *     whichever comes first
 * @param over completed when the environment has asked for the next event (true) or is gone
 *     (false); never before {@code reply}
 */
record Invocation(
    Event event,
    Instant deadline,
    long begunNanos,
    CompletableFuture<Reply> reply,
    CompletableFuture<Boolean> over) {

  static Invocation of(Event event, Instant deadline) {
    return new Invocation(
        event, deadline, System.nanoTime(), new CompletableFuture<>(), new CompletableFuture<>());
  }

  String id() {
    return event.requestId();
  }

  void end(Reply otherwise, boolean environmentLives) {
    reply.complete(otherwise);
    over.complete(environmentLives);
  }
}
