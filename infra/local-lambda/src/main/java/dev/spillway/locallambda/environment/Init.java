package dev.spillway.locallambda.environment;

import java.util.Optional;

/** How an environment's start ended. */
sealed interface Init {
  /** The runtime has asked for its first event. */
  record Ready() implements Init {}

  /**
   * The process ended before it asked for an event.
   *
   * @param reported what the runtime had posted to /init/error, if anything
   */
  record Broken(Optional<Reply.Failed> reported, ExitStatus status) implements Init {
    Reply.Failed reply(String requestId) {
      return reported.orElseGet(() -> status.reply(requestId));
    }
  }

  /** The limit passed first. */
  record TooLong() implements Init {}
}
