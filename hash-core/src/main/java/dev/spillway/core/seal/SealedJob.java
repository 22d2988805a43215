package dev.spillway.core.seal;

/**
 * The job that a sealed password is bound to, beside the stamp.
 *
 * @param id of the job
 * @param setting version, cost and salt, as written; need not be well formed
 */
public record SealedJob(String id, String setting) {}
