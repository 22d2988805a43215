package dev.spillway.benchmarks.service;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.stream.LongStream;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * How many iterations of PBKDF2 take as much CPU as one bcrypt, here and now. Keycloak has no
 * bcrypt of its own; its PBKDF2 is Bouncy Castle's, with a key of 512 bits. bcrypt is
 * spring-security-crypto's, which the naive service uses.
 */
final class EqualCost {
  private static final int ROUNDS = 5;
  private static final int TRIED = 20_000;
  private static final int KEY_BITS = 512;
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private EqualCost() {}

  /** Never less than one. */
  static int iterations(int bcryptCost) {
    BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, bcryptCost, new SecureRandom());
    byte[] password = LoadUser.PASSWORD.getBytes(StandardCharsets.UTF_8);
    SpringDigestEngine spring = new SpringDigestEngine();
    Duration bcrypt = cpu(() -> spring.digest(setting, password));
    Duration pbkdf2 = cpu(() -> pbkdf2(TRIED));
    return iterations(bcrypt, pbkdf2.dividedBy(TRIED));
  }

  /**
   * @param each of one iteration
   */
  static int iterations(Duration bcrypt, Duration each) {
    return (int) Math.max(1, bcrypt.dividedBy(each));
  }

  private static void pbkdf2(int iterations) {
    try {
      SecretKeyFactory.getInstance("PBKDF2WITHHMACSHA512", new BouncyCastleProvider())
          .generateSecret(
              new PBEKeySpec(LoadUser.PASSWORD.toCharArray(), new byte[16], iterations, KEY_BITS));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of this thread, the median of several, once it is compiled. */
  private static Duration cpu(Runnable work) {
    long warm = System.nanoTime() + WARM_UP.toNanos();
    do {
      work.run();
    } while (System.nanoTime() < warm);
    long[] nanos =
        LongStream.generate(
                () -> {
                  long before = THREADS.getCurrentThreadCpuTime();
                  work.run();
                  return THREADS.getCurrentThreadCpuTime() - before;
                })
            .limit(ROUNDS)
            .sorted()
            .toArray();
    return Duration.ofNanos(nanos[ROUNDS / 2]);
  }
}
