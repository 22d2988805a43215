package dev.spillway.core.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import java.security.SecureRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs in a native image computes what runs, and is proven, everywhere else. */
class KernelTest {
  private static final int ROUNDS = 20;
  private final SecureRandom random = new SecureRandom();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void rolled_isUnrolled(int busy) {
    for (int round = 0; round < ROUNDS; round++) {
      LaneState[] rolled = new LaneState[busy];
      LaneState[] unrolled = new LaneState[busy];
      for (int lane = 0; lane < busy; lane++) {
        BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, 4, random);
        byte[] password = new byte[random.nextInt(73)];
        random.nextBytes(password);
        rolled[lane] = begun(setting, password);
        unrolled[lane] = begun(setting, password);
      }

      Kernel.expandRolled(rolled, busy, 3);
      Kernel.expandUnrolled(unrolled, busy, 3);

      for (int lane = 0; lane < busy; lane++) {
        assertThat(rolled[lane].state).as("lane %d", lane).isEqualTo(unrolled[lane].state);
      }
    }
  }

  private static LaneState begun(BcryptSetting setting, byte[] password) {
    LaneState lane = new LaneState();
    lane.begin(setting, password);
    return lane;
  }
}
