package dev.spillway.console;

import dev.spillway.console.size.Size;
import dev.spillway.console.watch.Watch;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What operators call from a shell; see {@code ./spillway help}. */
@Command(
    name = "./spillway",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {Watch.class, Size.class})
public final class Main {
  private Main() {}

  /** Exits with 2 on misuse, else as the command says. */
  public static void main(String[] args) {
    System.exit(commands().execute(args));
  }

  static CommandLine commands() {
    return new CommandLine(new Main())
        .registerConverter(Duration.class, new Durations())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(
            (misuse, args) -> {
              CommandLine command = misuse.getCommandLine();
              String name = command.getCommandSpec().qualifiedName();
              command
                  .getErr()
                  .printf("spillway: %s%n%s --help says more%n", misuse.getMessage(), name);
              return CommandLine.ExitCode.USAGE;
            });
  }
}
