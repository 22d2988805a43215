package dev.spillway.hashing.spill.target;

import java.util.List;

/**
 * The figures of a spill at one moment.
 *
 * @param waiting jobs that wait for a slot they may share
 * @param targets always the same ones in the same order
 */
public record SpillState(int waiting, List<Target> targets) {
  /**
   * One target.
   *
   * @param name as configured
   * @param outstanding calls made and not answered
   * @param maxOutstanding calls that may be outstanding
   * @param cooling whether it is left alone for having failed
   * @param misconfigured whether it refuses our credentials, permission, its name or our seal
   */
  public record Target(
      String name, int outstanding, int maxOutstanding, boolean cooling, boolean misconfigured) {}
}
