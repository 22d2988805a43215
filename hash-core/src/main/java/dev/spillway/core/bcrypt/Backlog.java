package dev.spillway.core.bcrypt;

/** Where an engine with a free lane finds further work. */
@FunctionalInterface
public interface Backlog {
  /** A backlog that never has any. */
  Backlog EMPTY = () -> null;

  /** The next job, now the caller's to end; or null, at once, when nothing waits. */
  DigestJob poll();
}
