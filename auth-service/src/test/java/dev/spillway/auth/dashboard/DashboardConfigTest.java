package dev.spillway.auth.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DashboardConfigTest {
  @Test
  void defaults() {
    DashboardConfig config = ConfigText.read(DashboardConfig.class);

    assertThat(config.access()).isEqualTo(DashboardConfig.Access.ADMIN);
    assertThat(config.viewers()).isEqualTo(8);
  }

  @Test
  void everyKeyChanged() {
    DashboardConfig config =
        ConfigText.read(
            DashboardConfig.class,
            "spillway.dashboard.access",
            "off",
            "spillway.dashboard.viewers",
            "1000");

    assertThat(config.access()).isEqualTo(DashboardConfig.Access.OFF);
    assertThat(config.viewers()).isEqualTo(1000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1001", "many"})
  void viewers_outOfBounds_areRefused(String viewers) {
    assertThatThrownBy(
            () -> ConfigText.read(DashboardConfig.class, "spillway.dashboard.viewers", viewers))
        .hasMessageContaining("spillway.dashboard.viewers");
  }

  @Test
  void access_ofAnotherKind_isRefused() {
    assertThatThrownBy(
            () -> ConfigText.read(DashboardConfig.class, "spillway.dashboard.access", "some"))
        .hasMessageContaining("spillway.dashboard.access");
  }
}
