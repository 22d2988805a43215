package dev.spillway.auth.hashing.spend;

/**
 * What all instances have spent, in billionths of the currency.
 *
 * @param hour number of the current hour since 1970
 * @param spentInHour in this hour
 * @param spentInDay in the hours of this day, UTC
 * @param open false if an admin has said that nothing may spill
 */
record Books(long hour, long spentInHour, long spentInDay, boolean open) {
  static final Books EMPTY = new Books(0, 0, 0, true);
}
