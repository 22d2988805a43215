package dev.spillway.console.watch;

/**
 * A counter, and how fast it grows.
 *
 * @param total since the service started
 */
record Rate(double perSecond, long total) {}
