package dev.spillway.core.bcrypt;

/** One digest to compute, as an engine sees it. */
public interface DigestJob {
  BcryptSetting setting();

  /** At most {@value BcryptHash#MAX_PASSWORD_BYTES} bytes; read, never kept or changed. */
  byte[] password();

  /**
   * Whether the digest is no longer wanted: the deadline has passed or the caller has left. Engines
   * ask before the work begins and, if they can, between chunks of it; cheap and thread-safe.
   */
  boolean abandoned();

  /** Called exactly once, on the engine's thread, when the job uses no more CPU. Must not throw. */
  void end(DigestResult result);
}
