package dev.spillway.auth.hashing.spill;

import dev.spillway.auth.Spilling;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.spill.Spill;
import dev.spillway.hashing.spill.balance.CoolDown;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Spills to addresses of a test's own, wired as the service wires its own. */
public final class SpillCalls {
  static final BcryptSetting SETTING = BcryptSetting.parse("$2b$04$CCCCCCCCCCCCCCCCCCCCC.");
  static final byte[] PASSWORD = {'s', '3', 'c', 'r', 'e', 't'};

  /** No test waits for one to end. */
  static final CoolDown NO_COOL_DOWN = new CoolDown(Duration.ofMillis(1), Duration.ofMillis(1));

  private SpillCalls() {}

  /** To the fake function of a test with the profile {@link Spilling}, with no past of its own. */
  public static Spill toFakeFunction() {
    return to(Spilling.MAX_OUTSTANDING, Spilling.endpoint());
  }

  /** With nowhere to go. */
  public static Spill nowhere(MeterRegistry meters) {
    return new SpillWiring().spill(new Config(Map.of()), NO_COOL_DOWN, meters);
  }

  static Spill to(int maxOutstanding, URI... endpoints) {
    return to(maxOutstanding, new SimpleMeterRegistry(), endpoints);
  }

  static Spill to(int maxOutstanding, SimpleMeterRegistry meters, URI... endpoints) {
    return to(Seals.NONE, maxOutstanding, meters, endpoints);
  }

  static Spill to(
      SpillConfig.Sealing sealing,
      int maxOutstanding,
      SimpleMeterRegistry meters,
      URI... endpoints) {
    Spilling.credentials();
    Map<String, SpillConfig.Target> targets = new HashMap<>();
    for (URI endpoint : endpoints) {
      targets.put(
          "t" + targets.size(),
          new Target(
              Spilling.FUNCTION,
              Optional.of("eu-central-1"),
              Optional.of(endpoint),
              maxOutstanding));
    }
    return new SpillWiring().spill(new Config(targets, sealing), NO_COOL_DOWN, meters);
  }

  record Config(Map<String, SpillConfig.Target> targets, SpillConfig.Sealing sealing)
      implements SpillConfig {
    Config(Map<String, SpillConfig.Target> targets) {
      this(targets, Seals.NONE);
    }
  }

  record Seals(Optional<String> keys, Optional<String> use) implements SpillConfig.Sealing {
    static final Seals NONE = new Seals(Optional.empty(), Optional.empty());

    static Seals with(String keys, String use) {
      return new Seals(Optional.of(keys), Optional.of(use));
    }
  }

  record Target(
      String function, Optional<String> region, Optional<URI> endpoint, int maxOutstanding)
      implements SpillConfig.Target {}
}
