package dev.spillway.core.bcrypt;

/** How a {@link DigestJob} ended. */
public sealed interface DigestResult {
  /** The digest was computed. */
  record Digested(BcryptDigest digest) implements DigestResult {}

  /** The job was dropped because {@link DigestJob#abandoned} said so. */
  record Abandoned() implements DigestResult {}

  /** The engine could not compute it: a bug, or a password over 72 bytes. */
  record Failed(RuntimeException cause) implements DigestResult {}
}
