package dev.spillway.benchmarks.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SpikeOptionsTest {
  @Test
  void rivals_areThereOnlyWhenAskedFor_andBringTheirOwnTime() {
    SpikeOptions usual = SpikeOptions.parse("--quick");
    SpikeOptions more = SpikeOptions.parse("--quick", "--rival", "keycloak");
    assertThat(usual.contenders()).noneMatch(SpikeContender::isRival);
    assertThat(more.contenders())
        .containsAll(usual.contenders())
        .containsAll(SpikeContender.RIVALS);
    assertThat(more.budget()).isGreaterThan(usual.budget());
  }

  @Test
  void only_choosesAmongTheUsual_whereverItStands() {
    SpikeOptions before = SpikeOptions.parse("--only", "remote", "--rival", "keycloak");
    SpikeOptions after = SpikeOptions.parse("--rival", "keycloak", "--only", "remote");
    assertThat(before.contenders())
        .containsExactly(
            SpikeContender.REMOTE, SpikeContender.KEYCLOAK, SpikeContender.KEYCLOAK_PBKDF2)
        .isEqualTo(after.contenders());
  }

  @Test
  void unknownOnes_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SpikeOptions.parse("--rival", "another"))
        .withMessageContaining("keycloak");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SpikeOptions.parse("--only", "naive,fast"))
        .withMessageContaining("fast");
  }

  @Test
  void minute_takesNoSteps() {
    assertThat(SpikeOptions.parse("--minute").stepping()).isFalse();
    assertThat(SpikeOptions.parse().stepping()).isTrue();
  }

  @Test
  void minute_offersNoMoreThanThereAreConnectionsFor() {
    assertThat(SpikeOptions.parse("--minute").shape(100).baseline()).isEqualTo(50);
    assertThat(SpikeOptions.parse("--minute").shape(5_000).baseline()).isEqualTo(150);
    assertThat(SpikeOptions.parse("--quick").shape(5_000).baseline()).isEqualTo(2_500);
  }
}
