package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.hashing.spill.lambda.LambdaEndpoint;
import dev.spillway.auth.hashing.spill.lambda.LambdaTransport;
import dev.spillway.auth.hashing.spill.lambda.SigningCredentials;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.call.SpillRules;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** A spill of its own for one test, with targets t0, t1 and so on. */
final class SpillBench implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(20);
  static final SpillRules RULES = new SpillRules(Duration.ZERO, 3, 10);
  static final byte[] PASSWORD = {'x'};
  static final BcryptSetting SETTING = BcryptSetting.parse("$2b$05$CCCCCCCCCCCCCCCCCCCCC.");

  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final Spill spill;
  volatile Function<DigestRequest, byte[]> events = WireFormat::write;
  private final SigningCredentials credentials;

  SpillBench(SpillRules rules, int bound, CoolDown coolDown, List<URI> urls) {
    this(
        StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDEXAMPLE", "secret")),
        rules,
        bound,
        coolDown,
        urls);
  }

  SpillBench(
      AwsCredentialsProvider provider,
      SpillRules rules,
      int bound,
      CoolDown coolDown,
      List<URI> urls) {
    credentials = new SigningCredentials(provider);
    SortedMap<String, Integer> bounds = new TreeMap<>();
    Map<String, LambdaEndpoint> endpoints = new HashMap<>();
    for (URI url : urls) {
      String name = "t" + bounds.size();
      bounds.put(name, bound);
      endpoints.put(
          name, new LambdaEndpoint(name, url, "eu-central-1", Duration.ofSeconds(1), credentials));
    }
    spill =
        new Spill(
            bounds,
            coolDown,
            rules,
            request -> events.apply(request),
            new LambdaTransport(endpoints),
            MicrometerMeters.spill(meters));
  }

  /** A cool-down that does not end within a test. */
  static CoolDown hour() {
    return new CoolDown(Duration.ofHours(1), Duration.ofHours(1));
  }

  static SpillBench over(FaultyFunction... functions) {
    return new SpillBench(RULES, 50, hour(), urls(functions));
  }

  /** How often a throttled target has been asked again: after 0.1 s, 0.2 s more, and so on. */
  static int pausesSince(long startNanos) {
    long tenths = Duration.ofNanos(System.nanoTime() - startNanos).toMillis() / 100;
    int pauses = 0;
    for (long pause = 1; pause <= tenths; pause = Math.min(10, 2 * pause)) {
      tenths -= pause;
      pauses++;
    }
    return pauses;
  }

  static List<URI> urls(FaultyFunction... functions) {
    return java.util.Arrays.stream(functions).map(FaultyFunction::url).toList();
  }

  SpillAnswer digest() {
    return digest(LONG);
  }

  SpillAnswer digest(Duration deadline) {
    return spill.digest(SETTING, PASSWORD, Deadline.in(deadline));
  }

  SpillAnswer digest(BcryptSetting setting) {
    return spill.digest(setting, PASSWORD, Deadline.in(LONG));
  }

  /** From that many callers at a time. */
  List<SpillAnswer> digests(int count, int callers) throws Exception {
    return digests(count, callers, LONG);
  }

  List<SpillAnswer> digests(int count, int callers, Duration deadline) throws Exception {
    AtomicInteger left = new AtomicInteger(count);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<SpillAnswer>>> answers = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        answers.add(
            threads.submit(
                () -> {
                  List<SpillAnswer> own = new ArrayList<>();
                  while (left.getAndDecrement() > 0) {
                    own.add(digest(deadline));
                  }
                  return own;
                }));
      }
      List<SpillAnswer> all = new ArrayList<>();
      for (Future<List<SpillAnswer>> own : answers) {
        all.addAll(own.get());
      }
      return all;
    }
  }

  /** A meter's count or value, over all its tags but those given. */
  double metered(String name, String... tags) {
    return meters.getMeters().stream()
        .filter(meter -> meter.getId().getName().equals("spillway.spill." + name))
        .filter(meter -> has(meter, tags))
        .mapToDouble(meter -> meter.measure().iterator().next().getValue())
        .sum();
  }

  private static boolean has(Meter meter, String... tags) {
    return IntStream.range(0, tags.length / 2)
        .allMatch(i -> tags[2 * i + 1].equals(meter.getId().getTag(tags[2 * i])));
  }

  static void assertComputed(List<SpillAnswer> answers) {
    assertThat(answers.stream().collect(Collectors.groupingBy(a -> a, Collectors.counting())))
        .containsOnlyKeys(computed());
  }

  static SpillAnswer computed() {
    return new SpillAnswer.Computed(BcryptDigest.of(FaultyFunction.DIGEST));
  }

  static SpillAnswer no(Reason reason) {
    return new SpillAnswer.NoDigest(reason);
  }

  /** Nothing may be left behind, whatever happened. */
  @Override
  public void close() {
    assertThat(spill.outstanding()).as("outstanding").isZero();
    assertThat(metered("waiting")).as("waiting").isZero();
    spill.close();
    credentials.close();
  }
}
