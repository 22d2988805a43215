package dev.spillway.core.lanes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.spillway.core.bcrypt.Backlog;
import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Digests that libxcrypt computed, and whether an engine computes the same. Cheap enough for every
 * start: some twenty hashes of cost 4 and 5.
 *
 * <p>The passwords are those that implementations have stumbled over: empty, a single byte over
 * 0x7f, bytes that sign extension makes collide, exactly 72 bytes.
 */
public final class KnownVectors {
  private static final String REPEATING_SALT = "CCCCCCCCCCCCCCCCCCCCC.";
  private static final String MIXED_SALT = "nUcjAHFymKO9aZ1x5S2kxe";
  private static final String COLLIDING = "ffa33334ffffffa3333435";

  private static final List<Vector> ALL =
      List.of(
          text("2b", 4, REPEATING_SALT, "", "Cg0ly9t/KVBCBYYDfOmZKwry9JuXClC"),
          text("2a", 4, REPEATING_SALT, "U*U", "K7Qr0se1MxuggH4aP4YgB.U2Em1pGSK"),
          hex("2a", 4, REPEATING_SALT, COLLIDING, "D8jTC5oJeIumVOhMVpz79BzoGVhCjrW"),
          hex("2y", 5, REPEATING_SALT, COLLIDING, "VmFQpoXeVuKTzkg2ZRsAf.8PZJZg142"),
          hex("2b", 4, REPEATING_SALT, "ffffa3", "PIeeyENZVZmrKLAq5lwBUU9fMRVfV2m"),
          hex("2a", 4, REPEATING_SALT, "ffffa3", "h87NWu/js59XXaIj1hDyHxnjw7MJ5K6"),
          hex("2y", 4, REPEATING_SALT, "a3", "nCdKcLO57oLlc6J6sNnGyfT9FrIawiW"),
          text("2b", 5, REPEATING_SALT, "a".repeat(72), "ODcEJfYFxKziEakDsjep8mcF3zSCvHq"),
          text("2b", 5, REPEATING_SALT, "a".repeat(71) + "b", "u1sPGZ9q71nBaQpv96qJMsRn29aIDCO"),
          text("2y", 4, MIXED_SALT, "pässwörd", "IE0TbMwZS/32JgWSgMHjI3Fgc10nn4C"),
          hex("2a", 4, MIXED_SALT, "ff".repeat(72), "8czXAEUn9jsmjM83c/XyY55wTQx6XLW"),
          hex("2b", 4, MIXED_SALT, "ff".repeat(72), "kxpkwI2veXldSCiOCVDiQ30SLBYRtdy"));

  private KnownVectors() {}

  /**
   * What {@code engine} gets wrong first: nothing, if it can be trusted. Runs every vector through
   * every number of lanes the engine has, first exactly filling them, then with more vectors behind
   * them, so that lanes end at different times and are filled again.
   */
  public static Optional<String> firstDifference(DigestEngine engine) {
    int from = 0;
    for (int lanes = 1; lanes <= engine.lanes(); lanes++) {
      Optional<String> difference = run(engine, from, lanes);
      if (difference.isPresent()) {
        return difference;
      }
      from += lanes;
    }
    return run(engine, from, ALL.size() + 1);
  }

  private static Optional<String> run(DigestEngine engine, int from, int count) {
    List<Probe> probes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      probes.add(new Probe(ALL.get((from + i) % ALL.size())));
    }
    ArrayDeque<DigestJob> waiting = new ArrayDeque<>(probes);
    Backlog backlog = waiting::poll;
    try {
      engine.run(waiting.remove(), backlog);
    } catch (RuntimeException | LinkageError e) {
      return Optional.of(engine.name() + " threw " + e);
    }
    return probes.stream()
        .flatMap(probe -> probe.difference().stream())
        .findFirst()
        .map(difference -> engine.name() + " with " + count + " jobs: " + difference);
  }

  private static Vector text(String version, int cost, String salt, String text, String digest) {
    return vector(version, cost, salt, text.getBytes(UTF_8), digest);
  }

  private static Vector hex(String version, int cost, String salt, String hex, String digest) {
    return vector(version, cost, salt, HexFormat.of().parseHex(hex), digest);
  }

  private static Vector vector(
      String version, int cost, String salt, byte[] password, String digest) {
    BcryptSetting setting = BcryptSetting.parse("$" + version + "$0" + cost + "$" + salt);
    return new Vector(setting, password, BcryptDigest.of(digest));
  }

  /** A password, public, and what it must come to. */
  private record Vector(BcryptSetting setting, byte[] password, BcryptDigest digest) {}

  /** A vector on its way through the engine. */
  private static final class Probe implements DigestJob {
    private final Vector vector;
    private final List<DigestResult> results = new ArrayList<>();

    Probe(Vector vector) {
      this.vector = vector;
    }

    Optional<String> difference() {
      if (results.equals(List.of(new DigestResult.Digested(vector.digest)))) {
        return Optional.empty();
      }
      return Optional.of(
          vector.setting
              + " and password "
              + HexFormat.of().formatHex(vector.password)
              + " ended as "
              + results);
    }

    @Override
    public BcryptSetting setting() {
      return vector.setting;
    }

    @Override
    public byte[] password() {
      return vector.password;
    }

    @Override
    public boolean abandoned() {
      return false;
    }

    @Override
    public void end(DigestResult result) {
      results.add(result);
    }
  }
}
