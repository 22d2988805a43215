package dev.spillway.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.micrometer.MicrometerMeters;
import dev.spillway.hashing.spill.balance.CoolDown;
import dev.spillway.hashing.spill.call.SpillRules;
import dev.spillway.hashing.spill.wire.SpillAnswer;
import dev.spillway.hashing.spill.wire.SpillAnswer.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A spill of its own for one test, with one target, t0. */
final class SpillBench implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(20);
  static final byte[] PASSWORD = {'x'};
  static final BcryptSetting SETTING = BcryptSetting.parse("$2b$05$CCCCCCCCCCCCCCCCCCCCC.");

  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final Spill spill;
  volatile Function<DigestRequest, byte[]> events = WireFormat::write;

  SpillBench(SpillRules rules, int bound, HeldFunction function) {
    spill =
        new Spill(
            new TreeMap<>(Map.of("t0", bound)),
            new CoolDown(Duration.ofHours(1), Duration.ofHours(1)),
            rules,
            request -> events.apply(request),
            function,
            MicrometerMeters.spill(meters));
  }

  SpillAnswer digest() {
    return spill.digest(SETTING, PASSWORD, Deadline.in(LONG));
  }

  /** From that many callers at a time. */
  List<SpillAnswer> digests(int count, int callers) throws Exception {
    AtomicInteger left = new AtomicInteger(count);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<SpillAnswer>>> answers = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        answers.add(
            threads.submit(
                () -> {
                  List<SpillAnswer> own = new ArrayList<>();
                  while (left.getAndDecrement() > 0) {
                    own.add(digest());
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

  int waiting() {
    return spill.state().waiting();
  }

  static SpillAnswer computed() {
    return new SpillAnswer.Computed(HeldFunction.DIGEST);
  }

  static SpillAnswer no(Reason reason) {
    return new SpillAnswer.NoDigest(reason);
  }

  /** Nothing may be left behind, whatever happened. */
  @Override
  public void close() {
    assertThat(spill.outstanding()).as("outstanding").isZero();
    assertThat(waiting()).as("waiting").isZero();
    spill.close();
  }
}
