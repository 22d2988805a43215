/**
 * bcrypt on a bounded pool that spills: {@link dev.spillway.hashing.PooledBcrypt} is where to
 * begin, {@link dev.spillway.hashing.HashAnswer} what it answers. The other packages are its parts:
 * {@code pool} and {@code cpu} compute in this process, {@code spill} has functions elsewhere
 * compute, {@code deadline} says until when an answer is wanted.
 */
package dev.spillway.hashing;
