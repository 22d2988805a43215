package dev.spillway.core.bcrypt;

import org.springframework.security.crypto.bcrypt.BCrypt;

/** spring-security-crypto's bcrypt: one job at a time, and the yardstick for every other engine. */
public final class SpringDigestEngine implements DigestEngine {
  @Override
  public String name() {
    return "spring";
  }

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public void run(DigestJob first, Backlog backlog) {
    for (DigestJob job = first; job != null; job = backlog.poll()) {
      job.end(compute(job));
    }
  }

  private static DigestResult compute(DigestJob job) {
    if (job.abandoned()) {
      return new DigestResult.Abandoned();
    }
    try {
      // Refuses more than 72 bytes: its 72-byte exemption is for its own check, not for this.
      String encoded = BCrypt.hashpw(job.password(), job.setting().toString());
      return new DigestResult.Digested(
          BcryptDigest.of(encoded.substring(encoded.length() - BcryptDigest.LENGTH)));
    } catch (RuntimeException e) {
      return new DigestResult.Failed(e);
    }
  }
}
