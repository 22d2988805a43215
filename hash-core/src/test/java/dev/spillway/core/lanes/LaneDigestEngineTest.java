package dev.spillway.core.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.BcryptBase64;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult.Abandoned;
import dev.spillway.core.bcrypt.DigestResult.Digested;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import java.util.ArrayDeque;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** Lanes compute what spring computes, whatever runs beside them and leaves early. */
class LaneDigestEngineTest {
  private static final SpringDigestEngine SPRING = new SpringDigestEngine();

  /** Passwords that sign extension touches: the only input on which the versions differ. */
  private static final byte[] SIGNED = {-1, (byte) 0xa3, 0x33, 0x34};

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void everyJob_comesToWhatSpringComputes(
      @ForAll @IntRange(min = 1, max = LaneDigestEngine.MAX_LANES) int lanes,
      @ForAll("wantedJobs") List<TestJob> jobs) {
    run(lanes, jobs);

    for (TestJob job : jobs) {
      assertThat(job.results()).containsExactly(springs(job));
    }
  }

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void abandonedJobs_endOnceAndDisturbNobody(
      @ForAll @IntRange(min = 1, max = LaneDigestEngine.MAX_LANES) int lanes,
      @ForAll("fickleJobs") List<TestJob> jobs) {
    run(lanes, jobs);

    for (TestJob job : jobs) {
      int chunks = (1 << job.setting().cost()) / LaneRun.CHUNK;
      assertThat(job.results())
          .as("%s", job)
          .containsExactly(job.abandonedAtLook() <= chunks ? new Abandoned() : springs(job));
    }
  }

  /** Each lane position in turn meets the password on which {@code $2a$} goes its own way. */
  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void signExtension_isCounteredInEveryLane(
      @ForAll @IntRange(min = 1, max = LaneDigestEngine.MAX_LANES) int lanes,
      @ForAll("highPasswords") List<byte[]> passwords,
      @ForAll BcryptVersion version) {
    List<TestJob> jobs =
        passwords.stream()
            .map(
                password ->
                    new TestJob(
                        new BcryptSetting(version, 4, "nUcjAHFymKO9aZ1x5S2kxe"),
                        password,
                        TestJob.NEVER))
            .toList();

    run(lanes, jobs);

    for (TestJob job : jobs) {
      assertThat(job.results()).containsExactly(springs(job));
    }
  }

  @Provide
  Arbitrary<List<TestJob>> wantedJobs() {
    return jobs(Arbitraries.just(TestJob.NEVER)).list().ofMinSize(1).ofMaxSize(9);
  }

  @Provide
  Arbitrary<List<TestJob>> fickleJobs() {
    return jobs(Arbitraries.oneOf(
            Arbitraries.just(TestJob.NEVER), Arbitraries.integers().between(1, 20)))
        .list()
        .ofMinSize(1)
        .ofMaxSize(9);
  }

  @Provide
  Arbitrary<List<byte[]>> highPasswords() {
    Arbitrary<Byte> high = Arbitraries.of((byte) -1, (byte) 0xa3, (byte) 0x80, (byte) 0x33);
    return Arbitraries.oneOf(
            high.array(byte[].class).ofMaxSize(72),
            Arbitraries.integers().between(1, 18).map(LaneDigestEngineTest::signed))
        .list()
        .ofSize(LaneDigestEngine.MAX_LANES);
  }

  private static Arbitrary<TestJob> jobs(Arbitrary<Integer> abandonedAtLook) {
    Arbitrary<byte[]> passwords =
        Arbitraries.oneOf(
            Arbitraries.bytes().array(byte[].class).ofMaxSize(72),
            Arbitraries.bytes().array(byte[].class).ofMinSize(69).ofMaxSize(72));
    Arbitrary<BcryptSetting> settings =
        Combinators.combine(
                Arbitraries.of(BcryptVersion.class),
                // Cheap ones more often: the costs should differ, not add up.
                Arbitraries.frequencyOf(
                    Tuple.of(4, Arbitraries.just(4)),
                    Tuple.of(3, Arbitraries.just(5)),
                    Tuple.of(2, Arbitraries.just(6)),
                    Tuple.of(1, Arbitraries.just(7))),
                Arbitraries.bytes().array(byte[].class).ofSize(16))
            .as(
                (version, cost, salt) ->
                    new BcryptSetting(version, cost, BcryptBase64.encode(salt)));
    return Combinators.combine(settings, passwords, abandonedAtLook).as(TestJob::new);
  }

  private static byte[] signed(int words) {
    byte[] password = new byte[4 * words];
    for (int i = 0; i < password.length; i++) {
      password[i] = SIGNED[i % 4];
    }
    return password;
  }

  private static void run(int lanes, List<TestJob> jobs) {
    ArrayDeque<DigestJob> waiting = new ArrayDeque<>(jobs);
    new LaneDigestEngine(lanes).run(waiting.remove(), waiting::poll);
  }

  private static Digested springs(TestJob job) {
    return new Digested(SPRING.digest(job.setting(), job.password()));
  }
}
