package dev.spillway.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
  @ParameterizedTest
  @CsvSource({
    "watch --interval 3,       is no time",
    "watch --interval 10ms,    from 100ms to 1h",
    "watch --interval 2h,      from 100ms to 1h",
    "watch --url localhost,    is no address",
    "watch --what,             Unknown option",
    "watch now,                Unmatched argument",
  })
  void misuse_isSaidInALineAndEndsWithTwo(String command, String why) {
    StringWriter said = new StringWriter();
    CommandLine commands = Main.commands().setErr(new PrintWriter(said));
    assertThat(commands.execute(command.split(" "))).isEqualTo(2);
    assertThat(said.toString())
        .startsWith("spillway: ")
        .contains(why)
        .contains("./spillway watch --help says more");
  }
}
