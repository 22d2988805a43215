package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.locallambda.confine.CpuQuota;
import dev.spillway.locallambda.confine.Demand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CPU time by the kernel's own account. Skipped, and said so, where no group may be made. */
class CpuQuotaTest {
  /** A quarter of a vCPU, to the megabyte. */
  private static final int QUARTER = 443;

  @TempDir Path directory;

  @BeforeEach
  void quotasAreToBeHad() throws IOException {
    List<String> lacking = new ArrayList<>();
    boolean had = CpuQuota.find(Demand.AUTO, lacking::add).isPresent();
    lacking.forEach(System.err::println);
    assumeTrue(had, String.join("", lacking));
  }

  @Test
  void quarterOfTheMemory_isAQuarterOfTheTime() throws Exception {
    try (var function = ShellFunction.start(directory, QUARTER, Demand.OFF, Demand.ON)) {
      function.run("true");
      Path group = groupOf(function.pid());
      assertThat(quota(group)).isEqualTo("5008 20000");
      long before = throttled(group);

      // More than one period at full speed would last; what others leave of the machine may not.
      Observe.until(
          "throttled",
          () -> {
            function.run("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
            return throttled(group) > before;
          });
    }
  }

  @Test
  void sandboxAndWhatItForks_areInTheGroupToo() throws Exception {
    try (var function = ShellFunction.start(directory, QUARTER, Demand.AUTO, Demand.ON)) {
      function.run("true");

      ProcessHandle leader = ProcessHandle.of(function.pid()).orElseThrow();
      assertThat(Files.readAllLines(groupOf(leader.pid()).resolve("cgroup.procs")))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(Stream.of(leader), leader.descendants())
                  .map(each -> Long.toString(each.pid()))
                  .toList());
    }
  }

  @Test
  void group_goesWithItsEnvironment() throws Exception {
    Path group;
    try (var function = ShellFunction.start(directory, QUARTER, Demand.OFF, Demand.ON)) {
      function.run("true");
      group = groupOf(function.pid());
      ProcessHandle.of(function.pid()).orElseThrow().destroyForcibly();
      Observe.until("gone", () -> function.lambda().report(ShellFunction.NAME).live() == 0);
      function.run("true");
      assertThat(groupOf(function.pid())).isNotEqualTo(group);
      Observe.until("removed", () -> !Files.exists(group));
    }
  }

  /** What was left behind by a local-lambda that was killed goes at the next start. */
  @Test
  void orphanedGroup_isSwept() throws Exception {
    try (var function = ShellFunction.start(directory, QUARTER, Demand.OFF, Demand.ON)) {
      function.run("true");
      long nobody = 1L << 40 | ThreadLocalRandom.current().nextInt(1 << 30);
      Path base = groupOf(function.pid()).getParent();
      Path orphan = Files.createDirectory(base.resolve("local-lambda." + nobody + ".1"));

      assertThat(CpuQuota.find(Demand.ON, System.err::println)).isPresent();

      assertThat(orphan).doesNotExist();
      assertThat(groupOf(function.pid())).exists();
    }
  }

  private static boolean unified(Path group) {
    return Files.exists(group.resolve("cpu.max"));
  }

  private static String quota(Path group) throws IOException {
    return unified(group)
        ? Files.readString(group.resolve("cpu.max")).strip()
        : Files.readString(group.resolve("cpu.cfs_quota_us")).strip()
            + " "
            + Files.readString(group.resolve("cpu.cfs_period_us")).strip();
  }

  private static long throttled(Path group) {
    try (Stream<String> lines = Files.lines(group.resolve("cpu.stat"))) {
      return lines
          .filter(line -> line.startsWith("nr_throttled "))
          .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Found below the mount by its name, which no other group has. */
  private static Path groupOf(long pid) throws IOException {
    String name =
        Files.readAllLines(Path.of("/proc", Long.toString(pid), "cgroup")).stream()
            .map(line -> line.substring(line.lastIndexOf('/') + 1))
            .filter(each -> each.startsWith("local-lambda."))
            .findFirst()
            .orElseThrow();
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
      for (String mount : mounts.filter(line -> line.contains(" cgroup")).toList()) {
        var search = new Search(name);
        Files.walkFileTree(Path.of(mount.split(" ")[1]), Set.of(), 8, search);
        if (search.found != null) {
          return search.found;
        }
      }
    }
    throw new AssertionError("no group " + name);
  }

  /** Among groups that may go while it looks at them. */
  private static final class Search extends SimpleFileVisitor<Path> {
    private final String name;
    private Path found;

    private Search(String name) {
      this.name = name;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path group, BasicFileAttributes attributes) {
      if (!group.endsWith(name) || !Files.exists(group.resolve("cpu.stat"))) {
        return FileVisitResult.CONTINUE;
      }
      found = group;
      return FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path gone, IOException why) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path group, IOException orWhyNot) {
      return FileVisitResult.CONTINUE;
    }
  }
}
