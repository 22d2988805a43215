package dev.spillway.benchmarks.service;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.seal.SealKeys;
import dev.spillway.core.seal.Sealer;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/** What sealing a spilled password costs the service. */
final class SealBench implements Bench {
  private static final String KEY = "a";
  private static final Duration WARM_UP = Duration.ofSeconds(1);

  /** As many as share a call by default. */
  private static final int GROUP = 3;

  /** The service counts its jobs; after some millions. */
  private static final long FIRST_ID = 10_000_000;

  private static final int MAX_COST = 15;
  private static final byte[] PASSWORD = LoadUser.PASSWORD.getBytes(StandardCharsets.UTF_8);

  private final SecureRandom random = new SecureRandom();

  @Override
  public String about() {
    return """
    CPU time of making a spilled request, one thread: in clear and with its passwords sealed, of one
    job and of three. Each is sampled between two samples of the JDK's ES256 signature, which every
    login costs, so that whatever else the machine does falls on both alike.
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
    byte[] key = new byte[32];
    random.nextBytes(key);
    SealKeys keys = SealKeys.parse("{\"a\":\"%s\"}".formatted(HexFormat.of().formatHex(key)));
    Sealer sealer = new Sealer(keys, KEY, InstantSource.system());
    DigestRequest one = request(1, options.cost());
    DigestRequest group = request(GROUP, options.cost());
    for (DigestRequest request : List.of(one, group)) {
      prove(request, WireFormat.write(request, sealer), keys);
    }
    List<Contender> contenders =
        List.of(new Contender("one job", one, sealer), new Contender("three jobs", group, sealer));
    Signer yardstick = Signer.es256();
    CpuTime.microsEach(yardstick::sign, WARM_UP);
    for (Contender contender : contenders) {
      CpuTime.microsEach(contender::clear, WARM_UP);
      CpuTime.microsEach(contender::sealed, WARM_UP);
    }
    for (int round = 1; round <= options.rounds(); round++) {
      Progress.say("round %d of %d", round, options.rounds());
      for (Contender contender : contenders) {
        double before = CpuTime.microsEach(yardstick::sign, options.sample());
        double clear = CpuTime.microsEach(contender::clear, options.sample());
        double sealed = CpuTime.microsEach(contender::sealed, options.sample());
        double after = CpuTime.microsEach(yardstick::sign, options.sample());
        double signature = (before + after) / 2;
        double sealing = (sealed - clear) / contender.request.jobs().size();
        report.add(yardstick.name(), "CPU us a signature", signature);
        report.add(contender.name, "CPU us a request in clear", clear);
        report.add(contender.name, "CPU us a request, sealed", sealed);
        report.add(contender.name, "sealing, CPU us a job", sealing);
        report.add(contender.name, "sealing a job, x ES256, JDK", sealing / signature);
      }
    }
    report.note("nothing else in this JVM: caches are warmer than in a service that serves");
  }

  private DigestRequest request(int jobs, int cost) {
    return new DigestRequest(
        IntStream.range(0, jobs)
            .mapToObj(
                job ->
                    new DigestRequest.Job(
                        Long.toString(FIRST_ID + job, 36),
                        BcryptSetting.random(BcryptVersion.V2B, cost, random),
                        PASSWORD))
            .toList());
  }

  /** The function can open what is measured here, and finds what was sealed. */
  private static void prove(DigestRequest request, byte[] sealed, SealKeys keys)
      throws GeneralSecurityException, WireException {
    Opener opener = new Opener(keys, true, Duration.ofMinutes(1), InstantSource.system());
    List<DigestRequest.Job> opened = WireFormat.readRequest(sealed, MAX_COST, opener).runnable();
    if (opened.size() != request.jobs().size()
        || !opened.stream().allMatch(job -> Arrays.equals(job.password(), PASSWORD))) {
      throw new GeneralSecurityException("what was sealed does not open");
    }
  }

  private record Contender(String name, DigestRequest request, Sealer sealer) {
    byte[] clear() {
      return WireFormat.write(request);
    }

    byte[] sealed() {
      return WireFormat.write(request, sealer);
    }
  }
}
