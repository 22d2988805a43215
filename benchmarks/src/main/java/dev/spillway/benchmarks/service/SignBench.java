package dev.spillway.benchmarks.service;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.Security;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Whether signing the token is what limits logins, and whether a native provider would help. */
final class SignBench implements Bench {
  private static final String ECDSA = "SHA256withECDSAinP1363Format";
  private static final String RSA = "SHA256withRSA";
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** As long as what is signed of one of our tokens. */
  private static final byte[] TOKEN = "e".repeat(320).getBytes(StandardCharsets.US_ASCII);

  @Override
  public String about() {
    return """
    CPU time of one signature, one thread: the JDK's providers against Amazon Corretto's native
    one. Each is sampled between two samples of the JDK's ES256, so that whatever else the machine
    does falls on both alike.
    """;
  }

  @Override
  public Options defaults() {
    return Options.of(12, 5, Duration.ofSeconds(1));
  }

  @Override
  public Duration quickSample() {
    return Duration.ofSeconds(1);
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    Signer yardstick = Signer.of("ES256, JDK", ecKey(), ECDSA, provider("SunEC"));
    List<Signer> rivals = new ArrayList<>();
    rivals.add(Signer.of("EdDSA, JDK", edKey(), "Ed25519", provider("SunEC")));
    rivals.add(Signer.of("RS256, JDK", rsaKey(), RSA, provider("SunRsaSign")));
    Provider corretto = AmazonCorrettoCryptoProvider.INSTANCE;
    if (AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError() == null) {
      rivals.add(Signer.of("ES256, Corretto", ecKey(), ECDSA, corretto));
      rivals.add(Signer.of("RS256, Corretto", rsaKey(), RSA, corretto));
    } else {
      report.note("Corretto's provider does not load here: it is the one for Linux on x86-64");
    }
    yardstick.microsEach(WARM_UP);
    for (Signer rival : rivals) {
      rival.microsEach(WARM_UP);
    }
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.say("round %d of %d", round, options.rounds());
      for (Signer rival : rivals) {
        double before = yardstick.microsEach(options.sample());
        double its = rival.microsEach(options.sample());
        double after = yardstick.microsEach(options.sample());
        report.add(yardstick.name, "CPU us a signature", (before + after) / 2);
        report.add(rival.name, "CPU us a signature", its);
        report.add(rival.name, "x ES256, JDK", 2 * its / (before + after));
      }
    }
    report.note("RSA keys of 2048 bits; %s", corretto);
  }

  private static Provider provider(String name) {
    return Security.getProvider(name);
  }

  private static KeyPair ecKey() throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("EC", "SunEC");
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    return keys.generateKeyPair();
  }

  private static KeyPair edKey() throws GeneralSecurityException {
    return KeyPairGenerator.getInstance("Ed25519", "SunEC").generateKeyPair();
  }

  private static KeyPair rsaKey() throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
    keys.initialize(2048);
    return keys.generateKeyPair();
  }

  private record Signer(String name, KeyPair key, String algorithm, Provider provider) {
    /** Has proved that what it signs is right. */
    static Signer of(String name, KeyPair key, String algorithm, Provider provider)
        throws GeneralSecurityException {
      Signer signer = new Signer(name, key, algorithm, provider);
      Signature check = Signature.getInstance(algorithm);
      check.initVerify(key.getPublic());
      check.update(TOKEN);
      if (!check.verify(signer.sign())) {
        throw new GeneralSecurityException(name + " signs wrongly");
      }
      return signer;
    }

    /** With an object of its own each time, as the library that signs our tokens does it. */
    byte[] sign() throws GeneralSecurityException {
      Signature signature = Signature.getInstance(algorithm, provider);
      signature.initSign(key.getPrivate());
      signature.update(TOKEN);
      return signature.sign();
    }

    double microsEach(Duration least) throws GeneralSecurityException {
      int signatures = 0;
      long start = THREADS.getCurrentThreadCpuTime();
      long now;
      do {
        sign();
        signatures++;
        now = THREADS.getCurrentThreadCpuTime();
      } while (now - start < least.toNanos());
      return (now - start) / 1e3 / signatures;
    }
  }
}
