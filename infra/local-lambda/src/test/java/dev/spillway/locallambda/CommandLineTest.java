package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.locallambda.CommandLine.Help;
import dev.spillway.locallambda.CommandLine.Run;
import dev.spillway.locallambda.CommandLine.Wrong;
import dev.spillway.locallambda.confine.Demand;
import dev.spillway.locallambda.fault.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {
  @Test
  void templateAlone_takesTheDefaults() {
    LocalLambdaConfig config = run("--template", "t.yaml");

    assertThat(config.port()).isEqualTo(9001);
    assertThat(config.stack().concurrency()).isEmpty();
    assertThat(config.stack().functionPackage()).isEmpty();
    assertThat(config.stack().parameters()).isEmpty();
    assertThat(config.machine().aot()).isTrue();
    assertThat(config.machine().sandbox()).isEqualTo(Demand.AUTO);
  }

  @Test
  void everyOption_arrives() {
    LocalLambdaConfig config =
        run(
            ("--port 0 --template t.yaml --concurrency 3 --parameter A=b=c --parameter D="
                    + " --function-package f.zip --region us-east-1 --cache c --no-aot --fault bad-day"
                    + " --sandbox on")
                .split(" "));

    assertThat(config.stack().template()).isEqualTo(Path.of("t.yaml"));
    assertThat(config.port()).isZero();
    assertThat(config.stack().concurrency()).isEqualTo(OptionalInt.of(3));
    assertThat(config.stack().parameters()).isEqualTo(Map.of("A", "b=c", "D", ""));
    assertThat(config.stack().functionPackage()).isEqualTo(Optional.of(Path.of("f.zip")));
    assertThat(config.stack().region()).isEqualTo("us-east-1");
    assertThat(config.machine().cache()).isEqualTo(Path.of("c"));
    assertThat(config.machine().aot()).isFalse();
    assertThat(config.machine().sandbox()).isEqualTo(Demand.ON);
    assertThat(config.fault()).contains(Fault.BAD_DAY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --port 1                         | --template FILE is required
          --template                       | --template FILE is required
          --template t --ports 1           | unknown option --ports
          --template t stray               | unknown option stray
          --template t --port              | --port needs a value
          --template t --port x            | --port: must be a whole number, not x
          --template t --port 70000        | not a port: 70000
          --template t --concurrency -1    | --concurrency: must not be negative
          --template t --parameter A       | --parameter: must be NAME=VALUE
          --template t --sandbox yes       | --sandbox: must be auto, on or off, not yes
          --template t --fault x           | --fault: no such fault: x
          """)
  void wrong_isSaid(String arguments, String why) {
    assertThat(CommandLine.parse(List.of(arguments.split(" ")))).isEqualTo(new Wrong(why));
  }

  @Test
  void portFile_isKeptBesideTheConfig() {
    var parsed = (Run) CommandLine.parse(List.of("--template", "t.yaml", "--port-file", "p"));

    assertThat(parsed.portFile()).isEqualTo(Optional.of(Path.of("p")));
  }

  @Test
  void help_wins() {
    assertThat(CommandLine.parse(List.of("--nonsense", "--help"))).isEqualTo(new Help());
  }

  @Test
  void faultHelp_needsNothingElse() {
    assertThat(CommandLine.parse(List.of("--fault", "help"))).isEqualTo(new CommandLine.Faults());
  }

  private static LocalLambdaConfig run(String... arguments) {
    return ((Run) CommandLine.parse(List.of(arguments))).config();
  }
}
