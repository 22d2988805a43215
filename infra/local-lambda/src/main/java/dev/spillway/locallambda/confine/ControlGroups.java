package dev.spillway.locallambda.confine;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The control group that this process may divide, and the names of its files: version 2's as the
 * kernel's cgroup-v2.rst has them, version 1's as sched-bwc.rst does.
 *
 * @param unified whether it is version 2's
 */
record ControlGroups(Path base, boolean unified) {
  private static final Path SELF = Path.of("/proc/self");

  /**
   * @throws IOException where there is none, and why
   */
  static ControlGroups ours() throws IOException {
    if (!Files.exists(SELF.resolve("cgroup"))) {
      throw new IOException("this system has no control groups");
    }
    Optional<Path> one = mount(fields -> fields[2].equals("cgroup") && has("cpu", fields[3], ","));
    if (one.isPresent()) {
      return new ControlGroups(under(one.get(), line -> has("cpu", line[1], ",")), false);
    }
    Optional<Path> two = mount(fields -> fields[2].equals("cgroup2"));
    if (two.isEmpty()) {
      throw new IOException("no control groups are mounted");
    }
    Path base = under(two.get(), line -> line[0].equals("0"));
    try {
      divide(base);
    } catch (FileSystemException e) {
      throw new IOException(
          base
              + " is not ours to divide; systemd-run --user --scope -p Delegate=yes COMMAND runs one"
              + " in a group that is",
          e);
    }
    return new ControlGroups(base, true);
  }

  /**
   * Lets groups below have quotas. A group that does so must hold no process itself ("no internal
   * process"), so we move out of it; nobody else's processes are moved.
   */
  private static void divide(Path base) throws IOException {
    Path control = base.resolve("cgroup.subtree_control");
    if (has("cpu", Files.readString(control).strip(), " ")) {
      return;
    }
    if (!has("cpu", Files.readString(base.resolve("cgroup.controllers")).strip(), " ")) {
      throw new IOException(base + " has no cpu controller");
    }
    String self = Long.toString(ProcessHandle.current().pid());
    if (!Files.readAllLines(base.resolve("cgroup.procs")).equals(List.of(self))) {
      throw new FileSystemException(base.toString(), null, "others live here");
    }
    Path leaf = base.resolve("local-lambda");
    if (!Files.exists(leaf)) {
      Files.createDirectory(leaf);
    }
    Files.writeString(leaf.resolve("cgroup.procs"), self);
    Files.writeString(control, "+cpu");
  }

  /** Writes what one group may use of the CPU in each period. */
  void limit(Path group, long quotaMicros, long periodMicros) throws IOException {
    if (unified) {
      Files.writeString(group.resolve("cpu.max"), quotaMicros + " " + periodMicros);
    } else {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Long.toString(periodMicros));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quotaMicros));
    }
  }

  private static Optional<Path> mount(Predicate<String[]> wanted) throws IOException {
    return Files.readAllLines(SELF.resolve("mounts")).stream()
        .map(line -> line.split(" "))
        .filter(wanted)
        .map(fields -> Path.of(fields[1]))
        .findFirst();
  }

  private static Path under(Path mount, Predicate<String[]> wanted) throws IOException {
    return Files.readAllLines(SELF.resolve("cgroup")).stream()
        .map(line -> line.split(":", 3))
        .filter(wanted)
        .map(line -> mount.resolve("." + line[2]).normalize())
        .findFirst()
        .orElseThrow(() -> new IOException("we are in no group of " + mount));
  }

  private static boolean has(String word, String list, String separator) {
    return Arrays.asList(list.split(separator)).contains(word);
  }
}
