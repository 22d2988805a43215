package dev.spillway.core.bcrypt;

/** One digest to compute, as an engine sees it. */
public interface DigestJob {
  BcryptSetting setting();

  /** At most {@value BcryptHash#MAX_PASSWORD_BYTES} bytes; read, never kept or changed. */
  byte[] password();

  /**
   * Whether nobody wants the digest any more: the deadline has passed or the caller has gone. Asked
   * before the work begins and, by engines that can, between chunks of it; cheap and thread-safe.
   */
  boolean abandoned();

  /** Called exactly once, on the engine's thread, when the job uses no more CPU. Must not throw. */
  void end(DigestResult result);
}
