package dev.spillway.hashing.spill.call;

import dev.spillway.core.wire.DigestRequest;
import dev.spillway.hashing.spill.target.Targets;
import dev.spillway.hashing.spill.wire.Transport;
import java.util.function.Function;

/**
 * What every call of a spill is made with.
 *
 * @param requests makes the bytes that a call sends
 */
public record CallParts(
    Targets targets,
    Function<DigestRequest, byte[]> requests,
    Transport transport,
    SpillMeters meters) {}
