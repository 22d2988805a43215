package dev.spillway.benchmarks.service;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Whether signing the token is what limits logins, and whether a native provider would help. */
final class SignBench implements Bench {
  private static final String RSA = "SHA256withRSA";
  private static final Duration WARM_UP = Duration.ofSeconds(1);

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
    Signer yardstick = Signer.es256();
    List<Signer> rivals = new ArrayList<>();
    rivals.add(Signer.of("EdDSA, JDK", edKey(), "Ed25519", Signer.provider("SunEC")));
    rivals.add(Signer.of("RS256, JDK", rsaKey(), RSA, Signer.provider("SunRsaSign")));
    Provider corretto = AmazonCorrettoCryptoProvider.INSTANCE;
    if (AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError() == null) {
      rivals.add(Signer.of("ES256, Corretto", Signer.ecKey(), Signer.ECDSA, corretto));
      rivals.add(Signer.of("RS256, Corretto", rsaKey(), RSA, corretto));
    } else {
      report.note("Corretto's provider does not load here: it is the one for Linux on x86-64");
    }
    CpuTime.microsEach(yardstick::sign, WARM_UP);
    for (Signer rival : rivals) {
      CpuTime.microsEach(rival::sign, WARM_UP);
    }
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.say("round %d of %d", round, options.rounds());
      for (Signer rival : rivals) {
        double before = CpuTime.microsEach(yardstick::sign, options.sample());
        double its = CpuTime.microsEach(rival::sign, options.sample());
        double after = CpuTime.microsEach(yardstick::sign, options.sample());
        report.add(yardstick.name(), "CPU us a signature", (before + after) / 2);
        report.add(rival.name(), "CPU us a signature", its);
        report.add(rival.name(), "x ES256, JDK", 2 * its / (before + after));
      }
    }
    report.note("RSA keys of 2048 bits; %s", corretto);
  }

  private static KeyPair edKey() throws GeneralSecurityException {
    return KeyPairGenerator.getInstance("Ed25519", "SunEC").generateKeyPair();
  }

  private static KeyPair rsaKey() throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
    keys.initialize(2048);
    return keys.generateKeyPair();
  }
}
