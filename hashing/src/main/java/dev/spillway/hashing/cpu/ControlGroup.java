package dev.spillway.hashing.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The control group of this process, as far as it limits CPU time; version 1 or 2. A group is bound
 * by the quotas of those above it as well, so the tightest one that can be seen counts.
 *
 * @param own where the group's files are
 * @param top where the hierarchy is mounted
 */
record ControlGroup(Path own, Path top, boolean unified) {
  private static final double UNLIMITED = Double.POSITIVE_INFINITY;

  /**
   * @param cores that all processes of the group may use, infinite without a quota
   * @param throttled periods in which the quota was used up before their end, since the group began
   */
  record Quota(double cores, long throttled) {
    static final Quota NONE = new Quota(UNLIMITED, 0);

    /** What the kernel gives out to other processors and takes back too late is not to be had. */
    private static final double USABLE = 0.95;

    /**
     * Cores that this process may use if the quota is to last to the end of each period.
     *
     * @param processors with no more than that a quota limits nothing
     */
    double usable(int processors) {
      return cores >= processors ? UNLIMITED : USABLE * cores;
    }
  }

  /**
   * The group of the process whose directory of proc(5) this is; empty where there is none.
   *
   * @param process for instance {@code /proc/self}
   */
  static Optional<ControlGroup> of(Path process) {
    try {
      List<String> groups = Files.readAllLines(process.resolve("cgroup"));
      List<String> mounts = Files.readAllLines(process.resolve("mountinfo"));
      Optional<String> one =
          groups.stream().filter(line -> hasCpu(line.split(":", 3)[1])).findAny();
      boolean unified = one.isEmpty();
      return one.or(() -> groups.stream().filter(line -> line.startsWith("0:")).findAny())
          .map(line -> line.split(":", 3)[2])
          .flatMap(
              path ->
                  mounts.stream()
                      .flatMap(line -> mounted(line, path, unified).stream())
                      .findFirst());
    } catch (IOException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** Processors that the process may run on, whatever its quota; see proc(5), status. */
  static int processors(Path process) {
    try (Stream<String> lines = Files.lines(process.resolve("status"))) {
      return lines
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .flatMap(line -> Arrays.stream(line.substring(line.indexOf(':') + 1).strip().split(",")))
          .map(range -> range.split("-"))
          .mapToInt(ends -> Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1)
          .sum();
    } catch (IOException | RuntimeException e) {
      return Runtime.getRuntime().availableProcessors();
    }
  }

  /** As it is now: a container may be given another quota while it runs. */
  Quota quota() {
    return Stream.iterate(own, at -> at != null && at.startsWith(top), Path::getParent)
        .map(this::quotaAt)
        .reduce(Quota.NONE, (a, b) -> b.cores() < a.cores() ? b : a);
  }

  private Quota quotaAt(Path group) {
    try {
      double cores = unified ? coresUnified(group) : cores(group);
      return cores == UNLIMITED ? Quota.NONE : new Quota(cores, throttled(group));
    } catch (IOException | RuntimeException e) {
      return Quota.NONE; // the root has no such files
    }
  }

  /** {@code cpu.max}: two numbers of microseconds, or "max" for the first. */
  private static double coresUnified(Path group) throws IOException {
    String[] max = Files.readString(group.resolve("cpu.max")).strip().split(" ");
    return max[0].equals("max") ? UNLIMITED : Double.parseDouble(max[0]) / Long.parseLong(max[1]);
  }

  private static double cores(Path group) throws IOException {
    double quota = number(group.resolve("cpu.cfs_quota_us"));
    return quota <= 0 ? UNLIMITED : quota / number(group.resolve("cpu.cfs_period_us"));
  }

  private static long throttled(Path group) throws IOException {
    return Files.readAllLines(group.resolve("cpu.stat")).stream()
        .filter(line -> line.startsWith("nr_throttled "))
        .mapToLong(line -> Long.parseLong(line.split(" ")[1]))
        .findAny()
        .orElse(0);
  }

  private static long number(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }

  /**
   * @param line of proc(5)'s mountinfo
   * @param path of the group in its hierarchy. A container without a namespace of its own for
   *     control groups is told the host's, and has only that group mounted.
   */
  private static Optional<ControlGroup> mounted(String line, String path, boolean unified) {
    String[] halves = line.split(" - ", 2);
    String[] mount = halves[0].split(" ");
    String[] kind = halves[1].split(" ");
    boolean fits =
        unified ? kind[0].equals("cgroup2") : kind[0].equals("cgroup") && hasCpu(kind[2]);
    if (!fits) {
      return Optional.empty();
    }
    Path root = Path.of(mount[3]);
    Path top = Path.of(mount[4]);
    Path group = Path.of(path).normalize();
    Path own = group.startsWith(root) ? top.resolve(root.relativize(group).toString()) : top;
    return Optional.of(new ControlGroup(Files.isDirectory(own) ? own : top, top, unified));
  }

  private static boolean hasCpu(String controllers) {
    return Arrays.asList(controllers.split(",")).contains("cpu");
  }
}
