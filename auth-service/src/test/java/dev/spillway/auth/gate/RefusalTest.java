package dev.spillway.auth.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.spillway.hashing.cpu.CpuShare;
import org.junit.jupiter.api.Test;

class RefusalTest {
  private final Refusal refusal = new Refusal(new ObjectMapper());

  @Test
  void poolShortOfCpu_saysWhy_untilItIsNot() {
    assertThat(refusal.text()).contains("nothing was done.\"");
    refusal.say(new CpuShare(0.3, CpuShare.Cause.OTHERS, 1.4));
    assertThat(refusal.text())
        .contains("other processes take this machine's CPU: hashing gets 30 %")
        .contains("lacks 1.4 cores.\"");
    refusal.say(new CpuShare(1, CpuShare.Cause.NONE, 0));
    assertThat(refusal.text()).contains("nothing was done.\"");
  }
}
