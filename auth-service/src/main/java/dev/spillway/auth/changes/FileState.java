package dev.spillway.auth.changes;

import java.time.Instant;

/** What became of the file of changes. */
public sealed interface FileState {
  /** There has been none. */
  record None() implements FileState {}

  /** What it says holds. */
  record InForce(Instant since) implements FileState {}

  /** What was in force before it was written still is. */
  record Refused(String why, Instant since) implements FileState {}
}
