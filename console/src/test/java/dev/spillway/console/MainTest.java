package dev.spillway.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  @ParameterizedTest
  @CsvSource({
    "watch --interval 3,                              is no time",
    "watch --interval 10ms,                           from 100ms to 1h",
    "watch --interval 2h,                             from 100ms to 1h",
    "watch --url localhost,                           is no address",
    "watch --what,                                    Unknown option",
    "watch now,                                       Unmatched argument",
    "size,                                            Missing required options",
    "size --logins-per-minute 5,                      Missing required option",
    "size --logins-per-minute -1 --peak 5,            from 0 to 1000000",
    "size --logins-per-minute NaN --peak 5,           from 0 to 1000000",
    "size --logins-per-minute 5 --peak 1e9,           from 0 to 1000000",
    "size --logins-per-minute 5 --peak 4,             --peak is below",
    "size --logins-per-minute 5 --peak 9 --cost 3,    from 4 to 15",
    "size --logins-per-minute 5 --peak 9 --cost ten,  Invalid value",
    "size --logins-per-minute 5 --peak 9 --vcpus 0,   from 1 to 10000",
    "size --logins-per-minute 5 --peak 9 --arch mips, Invalid value",
    "size --logins-per-minute 5 --peak 9 --call 0ms,  above 0",
  })
  void misuse_isSaidInALineAndEndsWithTwo(String command, String why) {
    Commands.Outcome outcome = Commands.run(command.split(" "));
    assertThat(outcome.exit()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .startsWith("spillway: ")
        .contains(why)
        .contains("./spillway " + command.split(" ")[0] + " --help says more");
  }
}
