package dev.spillway.locallambda.confine;

import java.util.Locale;

/** How much somebody wants a thing that not every machine can give. */
public enum Demand {
  /** Where the machine can; what it lacks is said once. */
  AUTO,
  /** Or no start. */
  ON,
  OFF;

  /**
   * @throws IllegalArgumentException unless it is {@code auto}, {@code on} or {@code off}
   */
  public static Demand labelled(String label) {
    for (Demand demand : values()) {
      if (demand.name().toLowerCase(Locale.ROOT).equals(label)) {
        return demand;
      }
    }
    throw new IllegalArgumentException("must be auto, on or off, not " + label);
  }
}
