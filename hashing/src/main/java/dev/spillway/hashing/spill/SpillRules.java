package dev.spillway.hashing.spill;

import java.time.Duration;

/**
 * What is done besides calling once.
 *
 * @param groupWait how long a job may wait for a slot; zero for not at all
 * @param maxGroup jobs that waited and share a slot
 * @param retryPercent second calls for each hundred first ones
 */
public record SpillRules(Duration groupWait, int maxGroup, int retryPercent) {}
