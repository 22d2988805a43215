package dev.spillway.hashing.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seconds that a test makes up. */
class CpuShareTest {
  private static final CpuSample START = sample(0, 0, 0, 0, 0, 0, 0);

  @Test
  void poolWithLittleWork_getsAllItWants() {
    assertThat(share(sample(5_000, 100, 900, 0, 200, 9_000, 0))).isEqualTo(CpuShare.FULL);
  }

  @Test
  void busyPoolThatGetsItsTime_isNotShort() {
    CpuShare share = share(sample(5_000, 8_000, 10_000, 0, 9_000, 10_000, 0));
    assertThat(share.share()).isEqualTo(0.8);
    assertThat(share.isShort()).isFalse();
    assertThat(share.reason()).isEqualTo("hash threads get the CPU time they want");
  }

  @Test
  void neighboursThatTakeIt_areNamed() {
    CpuShare share = share(sample(5_000, 2_500, 10_000, 0, 3_000, 10_000, 0));
    assertThat(share.cause()).isEqualTo(CpuShare.Cause.OTHERS);
    assertThat(share.reason())
        .isEqualTo(
            "other processes take this machine's CPU: hashing gets 25 % of what it has work for"
                + " and lacks 1.5 cores");
  }

  @Test
  void serviceItself_isNamed() {
    CpuShare share = share(sample(5_000, 2_500, 10_000, 0, 9_500, 10_000, 0));
    assertThat(share.cause()).isEqualTo(CpuShare.Cause.SERVICE);
    assertThat(share.reason()).startsWith("the rest of this service takes this machine's CPU: ");
  }

  @ParameterizedTest
  @CsvSource({"1_000, 0", "0, 7"})
  void quota_isNamedWhetherHashThreadsPausedOrAllWereStopped(String paused, long throttled) {
    CpuShare share =
        share(
            sample(
                5_000,
                2_000,
                5_000,
                Long.parseLong(paused.replace("_", "")),
                2_400,
                10_000,
                throttled));
    assertThat(share.cause()).isEqualTo(CpuShare.Cause.QUOTA);
    assertThat(share.reason())
        .startsWith("this container's CPU quota is used up: hashing gets 40 %");
  }

  @Test
  void moreThreadsThanProcessors_wantNoMoreThanThose() {
    CpuShare share = share(sample(5_000, 9_500, 35_000, 0, 9_900, 10_000, 0));
    assertThat(share.share()).isEqualTo(0.95);
    assertThat(share.isShort()).isFalse();
  }

  @Test
  void restOfTheService_isWhatHashThreadsDidNotUse() {
    assertThat(sample(5_000, 2_000, 0, 0, 3_000, 0, 0).restCores(START)).isEqualTo(0.2);
    assertThat(sample(5_000, 2_000, 0, 0, 1_990, 0, 0).restCores(START)).isZero();
  }

  @Test
  void machine_isAllThatIsNotIdle(@TempDir Path dir) throws IOException {
    Path stat = dir.resolve("stat");
    Files.writeString(stat, "cpu  100 20 30 9999 888 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
    assertThat(CpuSample.machine(stat)).isEqualTo(Duration.ofMillis(1_650));
    Files.writeString(stat, "nonsense\n");
    assertThat(CpuSample.machine(stat)).isZero();
    assertThat(CpuSample.machine(dir.resolve("none"))).isZero();
  }

  @Test
  void log_saysOnceAMinuteThatHashingIsShort() {
    List<String> lines = new ArrayList<>();
    CpuLog log = new CpuLog(lines::add);
    CpuShare lacking = new CpuShare(0.25, CpuShare.Cause.OTHERS, 1.5);
    for (int second = 0; second < 120; second++) {
      CpuShare share = second < 10 ? CpuShare.FULL : lacking;
      log.say(sample(second * 1_000L, 0, 0, 0, 0, 0, 0), share, ControlGroup.Quota.NONE);
    }
    assertThat(lines)
        .hasSize(2)
        .allMatch(
            line ->
                line.startsWith(
                    "The hash pool is short of CPU: other processes take this machine's CPU: "));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "30, 0", "31, 1", "600, 1"})
  void log_saysOnceAMinuteThatTheQuotaStoppedTheServiceOften(long throttled, int lines) {
    List<String> said = new ArrayList<>();
    CpuLog log = new CpuLog(said::add);
    for (int second = 0; second <= 119; second++) {
      log.say(
          sample(second * 1_000L, 0, 0, 0, 0, 0, 100 + Math.min(60, second) * throttled / 60),
          CpuShare.FULL,
          new ControlGroup.Quota(0.5, 0));
    }
    assertThat(said).hasSize(lines);
    assertThat(said)
        .allMatch(
            line ->
                line.startsWith(
                    "The container's CPU quota of 0.50 cores was used up in "
                        + throttled
                        + " periods of the last minute"));
  }

  private static CpuShare share(CpuSample now) {
    return CpuShare.between(START, now, 2);
  }

  /** Times in milliseconds. */
  private static CpuSample sample(
      long at, long had, long wanted, long paused, long process, long machine, long throttled) {
    return new CpuSample(
        Duration.ofMillis(at),
        Duration.ofMillis(had),
        Duration.ofMillis(wanted),
        Duration.ofMillis(paused),
        Duration.ofMillis(process),
        Duration.ofMillis(machine),
        throttled);
  }
}
