package dev.spillway.locallambda.confine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written where, in both versions: a machine has but one of them. */
class GroupFilesTest {
  @TempDir Path base;

  @Test
  void versionTwo_hasOneFile() throws IOException {
    var quota = new CpuQuota(new ControlGroups(base, true), false);

    Path group = quota.group(3538).path();

    assertThat(group.resolve("cpu.max")).hasContent("40000 20000");
    assertThat(group.resolve("cpu.idle")).doesNotExist();
  }

  @Test
  void versionOne_hasTwo() throws IOException {
    var quota = new CpuQuota(new ControlGroups(base, false), false);

    Path group = quota.group(128).path();

    assertThat(group.resolve("cpu.cfs_quota_us")).hasContent("1447");
    assertThat(group.resolve("cpu.cfs_period_us")).hasContent("20000");
  }

  /** A scheduling policy is lost on the way into a group: the group has to have it. */
  @Test
  void idleOnesGroup_isIdle() throws IOException {
    var quota = new CpuQuota(new ControlGroups(base, true), true);

    assertThat(quota.group(1769).path().resolve("cpu.idle")).hasContent("1");
  }
}
