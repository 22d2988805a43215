package dev.spillway.locallambda.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked of a machine that has no bubblewrap, or one that cannot work. */
class SandboxDemandTest {
  private static final List<Path> NONE = List.of(Path.of("/nowhere/bwrap"));
  private static final List<Path> BROKEN = List.of(Path.of("/bin/false"));

  private final List<String> log = new ArrayList<>();

  @Test
  void auto_saysWhatIsLackingAndGoesOn() throws Exception {
    assertThat(Sandbox.find(Demand.AUTO, NONE, log::add)).isEmpty();
    assertThat(Sandbox.find(Demand.AUTO, BROKEN, log::add)).isEmpty();

    assertThat(log)
        .hasSize(2)
        .allMatch(line -> line.startsWith("no sandbox, functions see this machine's files"))
        .anyMatch(line -> line.endsWith("bwrap is missing (Debian: apt-get install bubblewrap)"));
  }

  @Test
  void on_isNoStart() {
    for (List<Path> programs : List.of(NONE, BROKEN)) {
      assertThatThrownBy(() -> Sandbox.find(Demand.ON, programs, log::add))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("no sandbox to be had: ");
    }
    assertThat(log).isEmpty();
  }

  @Test
  void off_asksNothing() throws Exception {
    assertThat(Sandbox.find(Demand.OFF, NONE, log::add)).isEmpty();
    assertThat(log).isEmpty();
  }
}
