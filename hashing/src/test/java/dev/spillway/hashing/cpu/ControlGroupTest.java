package dev.spillway.hashing.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Control groups as the kernel shows them, in a directory of the test's. */
class ControlGroupTest {
  private static final double UNLIMITED = Double.POSITIVE_INFINITY;

  @TempDir private Path dir;
  private Path process;
  private Path mount;

  @BeforeEach
  void directories() throws IOException {
    process = Files.createDirectory(dir.resolve("self"));
    mount = Files.createDirectory(dir.resolve("cgroup"));
  }

  @Test
  void versionTwo_inANamespaceOfItsOwn() throws IOException {
    two("0::/", "/");
    file("cpu.max", "50000 100000\n");
    file("cpu.stat", "usage_usec 5\nnr_periods 258\nnr_throttled 249\nthrottled_usec 7\n");
    assertThat(quota()).isEqualTo(new ControlGroup.Quota(0.5, 249));
  }

  @Test
  void versionTwo_withoutAQuota() throws IOException {
    two("0::/", "/");
    file("cpu.max", "max 100000\n");
    file("cpu.stat", "usage_usec 5\n");
    assertThat(quota()).isEqualTo(ControlGroup.Quota.NONE);
  }

  @Test
  void versionTwo_theTightestQuotaUpToTheTopCounts() throws IOException {
    two("0::/pod/container", "/");
    file("pod/cpu.max", "75000 100000");
    file("pod/cpu.stat", "nr_throttled 3");
    file("pod/container/cpu.max", "200000 100000");
    file("pod/container/cpu.stat", "nr_throttled 4");
    assertThat(quota()).isEqualTo(new ControlGroup.Quota(0.75, 3));
  }

  @Test
  void versionOne_amongTheControllersOfOneMount() throws IOException {
    write(process.resolve("cgroup"), "5:memory:/m\n4:cpu,cpuacct:/docker/abc\n0::/elsewhere\n");
    write(
        process.resolve("mountinfo"),
        "31 23 0:28 / "
            + dir
            + "/two rw - cgroup2 cgroup2 rw\n"
            + "32 31 0:29 / "
            + dir
            + "/set rw - cgroup cgroup rw,cpuset\n"
            + "33 31 0:30 /docker/abc "
            + mount
            + " rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n");
    file("cpu.cfs_quota_us", "150000\n");
    file("cpu.cfs_period_us", "100000\n");
    file("cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 12\n");
    assertThat(quota()).isEqualTo(new ControlGroup.Quota(1.5, 2));
    file("cpu.cfs_quota_us", "-1\n");
    assertThat(quota()).isEqualTo(ControlGroup.Quota.NONE);
  }

  @Test
  void quota_isReadAgain() throws IOException {
    two("0::/", "/");
    file("cpu.max", "50000 100000");
    file("cpu.stat", "nr_throttled 0");
    ControlGroup group = ControlGroup.of(process).orElseThrow();
    assertThat(group.quota().cores()).isEqualTo(0.5);
    file("cpu.max", "200000 100000");
    assertThat(group.quota().cores()).isEqualTo(2);
    file("cpu.max", "nonsense");
    assertThat(group.quota()).isEqualTo(ControlGroup.Quota.NONE);
  }

  @Test
  void pathOutsideOfWhatIsMounted_isTheMount() throws IOException {
    two("0::/../other", "/");
    file("cpu.max", "50000 100000");
    file("cpu.stat", "nr_throttled 1");
    assertThat(quota()).isEqualTo(new ControlGroup.Quota(0.5, 1));
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 0.95", "0.5, 1, 0.475", "2, 2, Infinity", "Infinity, 2, Infinity"})
  void quotaBelowTheProcessors_isUsableButForALittle(double cores, int processors, double usable) {
    assertThat(new ControlGroup.Quota(cores, 0).usable(processors)).isEqualTo(usable);
  }

  @Test
  void systemWithoutControlGroups_hasNone() throws IOException {
    assertThat(ControlGroup.of(process)).isEmpty();
    write(process.resolve("cgroup"), "nonsense\n");
    write(process.resolve("mountinfo"), "nonsense\n");
    assertThat(ControlGroup.of(process)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0-1, 2", "'0-2,5', 4", "'1,3-4,8-15', 11"})
  void processors_areThoseTheProcessMayRunOn(String list, int count) throws IOException {
    write(process.resolve("status"), "Name:\tjava\nCpus_allowed_list:\t" + list + "\n");
    assertThat(ControlGroup.processors(process)).isEqualTo(count);
  }

  @Test
  void processorsThatCannotBeRead_areTheJvms() {
    assertThat(ControlGroup.processors(process))
        .isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  private ControlGroup.Quota quota() {
    return ControlGroup.of(process).orElseThrow().quota();
  }

  private void two(String group, String root) throws IOException {
    write(process.resolve("cgroup"), group + "\n");
    write(
        process.resolve("mountinfo"),
        "30 23 0:26 / /proc rw - proc proc rw\n31 23 0:28 %s %s rw - cgroup2 cgroup2 rw\n"
            .formatted(root, mount));
  }

  private void file(String name, String text) throws IOException {
    Path file = mount.resolve(name);
    Files.createDirectories(file.getParent());
    write(file, text);
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }
}
