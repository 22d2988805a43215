package dev.spillway.locallambda;

import dev.spillway.locallambda.environment.FunctionReport;
import dev.spillway.locallambda.fault.Fault;
import dev.spillway.locallambda.template.TemplateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/** The command line's way in. Exits with 0 after SIGTERM or SIGINT, with 2 for what it was told. */
final class Main {
  private static final int MISUSE = 2;

  private Main() {}

  public static void main(String[] arguments) {
    switch (CommandLine.parse(List.of(arguments))) {
      case CommandLine.Help() -> System.out.print(CommandLine.HELP);
      case CommandLine.Faults() -> System.out.print(Fault.list());
      case CommandLine.Wrong(String why) -> fail(why + "\nTry --help.");
      case CommandLine.Run(LocalLambdaConfig config, Optional<Path> portFile) -> {
        try {
          serve(config, portFile);
        } catch (TemplateException | IOException e) {
          fail(e.getMessage());
        }
      }
    }
  }

  private static void serve(LocalLambdaConfig config, Optional<Path> portFile) throws IOException {
    LocalLambda lambda = LocalLambda.start(config);
    // halt, at the end: a JVM that a signal ends would otherwise exit with 128 + its number.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  lambda.close();
                  Runtime.getRuntime().halt(0);
                },
                "local-lambda-shutdown"));
    for (String name : lambda.functionNames()) {
      FunctionReport report = lambda.report(name);
      System.err.printf(
          "%s: concurrency %d, %s%n", name, report.concurrency(), lambda.functionArn(name));
    }
    System.err.println("local-lambda listens on " + lambda.endpoint());
    if (portFile.isPresent()) {
      // Whole or not at all: a process that waits for the file must not read half a number.
      Path half = Path.of(portFile.get() + ".part");
      Files.writeString(half, Integer.toString(lambda.port()));
      Files.move(half, portFile.get(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void fail(String why) {
    System.err.println("local-lambda: " + why);
    System.exit(MISUSE);
  }
}
