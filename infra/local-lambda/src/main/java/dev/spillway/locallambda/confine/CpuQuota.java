package dev.spillway.locallambda.confine;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * CPU time in proportion to memory, as Lambda gives it: a control group of its own for each
 * environment, limited by the kernel.
 */
public final class CpuQuota {
  /** One vCPU per this many megabytes, in Lambda's documentation. */
  public static final int MEGABYTES_PER_CPU = 1769;

  /** Shorter than the kernel's 100 ms: a throttled hash waits for the rest of the period. */
  private static final long PERIOD_MICROS = 20_000;

  private static final String PREFIX = "local-lambda.";

  /** Of this process, not of this object: the name they are part of bears the process's id. */
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Groups whose processes were killed, but may not all be gone. */
  private static final Set<Path> OVER = ConcurrentHashMap.newKeySet();

  private final ControlGroups groups;
  private final boolean idle;

  /**
   * @param idle whether groups step aside for every normal process, as we do. A scheduling policy
   *     counts among the threads of one group only; between groups it is the group's.
   */
  CpuQuota(ControlGroups groups, boolean idle) {
    this.groups = groups;
    this.idle = idle;
  }

  /**
   * The quota this machine lets us set; empty where it does not, or none is wanted.
   *
   * @throws IOException where there is none and there must be one
   */
  public static Optional<CpuQuota> find(Demand demand, Consumer<String> log) throws IOException {
    if (demand == Demand.OFF) {
      return Optional.empty();
    }
    try {
      var quota = new CpuQuota(ControlGroups.ours(), weAreIdle());
      quota.sweep();
      Group group = quota.group(MEGABYTES_PER_CPU);
      try {
        Probe.run(group.entering(List.of("/bin/true")));
      } finally {
        group.close();
      }
      return Optional.of(quota);
    } catch (IOException e) {
      // Its message is the file and nothing else.
      String why =
          e.getMessage() + (e instanceof AccessDeniedException ? " is not ours to write" : "");
      if (demand == Demand.ON) {
        throw new IOException("no CPU quota to be had: " + why, e);
      }
      log.accept("no CPU quota, every environment may use the whole machine: " + why);
      return Optional.empty();
    }
  }

  /**
   * A new group with the share of a function of that memory.
   *
   * @throws IOException if the kernel refuses it, as one that exceeds the quota above us
   */
  public Group group(int memoryMegabytes) throws IOException {
    OVER.removeIf(CpuQuota::removed);
    Path path =
        groups
            .base()
            .resolve(PREFIX + ProcessHandle.current().pid() + "." + NUMBER.incrementAndGet());
    Files.createDirectory(path);
    var group = new Group(path);
    try {
      groups.limit(path, PERIOD_MICROS * memoryMegabytes / MEGABYTES_PER_CPU, PERIOD_MICROS);
      if (idle) {
        Files.writeString(path.resolve("cpu.idle"), "1");
      }
      return group;
    } catch (IOException e) {
      group.close();
      throw e;
    }
  }

  /** One environment's group. */
  public final class Group implements AutoCloseable {
    private final Path path;

    private Group(Path path) {
      this.path = path;
    }

    /** The command, but in this group from its first instant. */
    public List<String> entering(List<String> command) {
      var procs = path.resolve("cgroup.procs").toString();
      return Stream.concat(
              Stream.of("/bin/sh", "-c", "echo 0 >\"$0\" && exec \"$@\"", procs), command.stream())
          .toList();
    }

    Path path() {
      return path;
    }

    /** Its processes have been killed; it goes when they have gone. */
    @Override
    public void close() {
      if (!removed(path)) {
        OVER.add(path);
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS)
            .execute(() -> OVER.removeIf(CpuQuota::removed));
      }
    }
  }

  /** Removes what a local-lambda left that was killed. */
  private void sweep() throws IOException {
    try (Stream<Path> children = Files.list(groups.base())) {
      children.filter(CpuQuota::orphaned).forEach(CpuQuota::removed);
    }
  }

  private static boolean orphaned(Path group) {
    String[] name = String.valueOf(group.getFileName()).split("\\.");
    return name.length == 3
        && PREFIX.equals(name[0] + ".")
        && name[1].matches("\\d{1,18}")
        && ProcessHandle.of(Long.parseLong(name[1])).isEmpty();
  }

  private static boolean removed(Path group) {
    return !Files.exists(group) || group.toFile().delete();
  }

  /** Whether this process has the scheduling policy SCHED_IDLE: field 41 of proc_pid_stat(5). */
  private static boolean weAreIdle() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[38].equals("5");
  }
}
