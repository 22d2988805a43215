package dev.spillway.auth.hashing.spend;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

/**
 * What spilling has cost and may cost, in the currency of the configuration's prices.
 *
 * @param open whether anything may spill
 * @param hour spent in this hour by all instances, as far as this one knows
 * @param day likewise in this day
 * @param minute hashes that this instance has spilled in this minute
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SpendReport(
    boolean open,
    double hour,
    double perHour,
    double day,
    double perDay,
    long minute,
    long perMinute) {}
