package dev.spillway.benchmarks.overload;

/**
 * Logins of one kind.
 *
 * @param networks how many networks they come from; 0 if each comes from another
 * @param hangUpNanos how long after its request a client goes away; 0 if it waits
 */
public record Traffic(
    String name, Pace pace, int networks, boolean rightPassword, long hangUpNanos) {
  /** Right passwords, from a network each. */
  public static Traffic users(Pace pace) {
    return new Traffic("users", pace, 0, true, 0);
  }
}
