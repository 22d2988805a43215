package dev.spillway.auth.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import org.junit.jupiter.api.Test;

class DashboardConfigTest {
  @Test
  void defaults() {
    DashboardConfig config = ConfigText.read(DashboardConfig.class);

    assertThat(config.access()).isEqualTo(DashboardConfig.Access.ADMIN);
  }

  @Test
  void everyKeyChanged() {
    DashboardConfig config =
        ConfigText.read(DashboardConfig.class, "spillway.dashboard.access", "off");

    assertThat(config.access()).isEqualTo(DashboardConfig.Access.OFF);
  }

  @Test
  void access_ofAnotherKind_isRefused() {
    assertThatThrownBy(
            () -> ConfigText.read(DashboardConfig.class, "spillway.dashboard.access", "some"))
        .hasMessageContaining("spillway.dashboard.access");
  }
}
