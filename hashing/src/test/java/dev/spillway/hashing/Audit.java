package dev.spillway.hashing;

/**
 * How long audits run. Every build does a part; {@code -Daudit.operations=1000000} does all of it,
 * as CI does. Not below {@code spillway.}: the service refuses to start on a key it does not know.
 */
public final class Audit {
  public static final int OPERATIONS = Integer.getInteger("audit.operations", 40_000);

  private Audit() {}
}
