package dev.spillway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** S2. */
class UnknownVariablesTest {
  private static final Set<String> KEYS =
      Set.of(
          "spillway.pool.threads", "spillway.data-dir", "spillway.spill.targets.*.max-outstanding");

  @Test
  void s2_misspeltVariable_isToldWithTheNearestKey() {
    assertThat(UnknownVariables.warnings(KEYS, Map.of("SPILLWAY_POOL_THREDS", "1")))
        .singleElement()
        .asString()
        .contains("SPILLWAY_POOL_THREDS")
        .endsWith("SPILLWAY_POOL_THREADS");
  }

  @Test
  void s2_variablesOfKeysAndOfKubernetes_areNoNews() {
    assertThat(
            UnknownVariables.warnings(
                KEYS,
                Map.of(
                    "SPILLWAY_POOL_THREADS", "1",
                    "SPILLWAY_DATA_DIR", "/data",
                    "SPILLWAY_SPILL_TARGETS_EU_1_MAX_OUTSTANDING", "50",
                    "SPILLWAY_PORT", "tcp://10.0.0.1:8080",
                    "SPILLWAY_PORT_8080_TCP_ADDR", "10.0.0.1",
                    "SPILLWAY_SERVICE_HOST", "10.0.0.1",
                    "SPILLWAY_SERVICE_PORT_HTTP", "8080",
                    "PATH", "/bin")))
        .isEmpty();
  }
}
