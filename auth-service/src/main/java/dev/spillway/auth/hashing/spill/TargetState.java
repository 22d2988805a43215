package dev.spillway.auth.hashing.spill;

/**
 * One target as it is now.
 *
 * @param outstanding calls made and not answered, pings included
 * @param cooling whether it is left alone for having failed
 * @param leaving whether it has been removed, and only its last calls are awaited
 */
public record TargetState(
    String name, SpillPlan.Target plan, int outstanding, boolean cooling, boolean leaving) {}
