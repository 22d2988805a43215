package dev.spillway.locallambda;

import dev.spillway.locallambda.confine.Demand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The function of {@code shell/bootstrap}, which runs what it is told, in a local-lambda. */
record ShellFunction(LocalLambda lambda, List<String> log) implements AutoCloseable {
  static final String NAME = "Shell";

  static ShellFunction start(Path directory, int memory, Demand sandbox) throws IOException {
    Path bootstrap = Files.createDirectories(directory.resolve("code")).resolve("bootstrap");
    try (InputStream script = ShellFunction.class.getResourceAsStream("/shell/bootstrap")) {
      Files.copy(script, bootstrap);
    }
    Files.setPosixFilePermissions(bootstrap, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path template =
        Files.writeString(
            directory.resolve("template.yaml"),
            """
            Resources:
              Shell:
                Type: AWS::Serverless::Function
                Properties:
                  CodeUri: code
                  Runtime: provided.al2023
                  Handler: not.used
                  MemorySize: %d
                  Timeout: 30
            """
                .formatted(memory));
    List<String> log = new CopyOnWriteArrayList<>();
    return new ShellFunction(
        LocalLambda.start(
            LocalLambdaConfig.of(template)
                .cache(directory.resolve("cache"))
                .sandbox(sandbox)
                .settle(Observe.PATIENCE) // a caller with an answer finds it ready
                .log(log::add)
                .build()),
        log);
  }

  /** What the command printed, its lines parted by {@code |}. */
  String run(String command) {
    var caller = Caller.of(lambda);
    return caller.send(caller.invocation(NAME, '"' + command + '"')).body();
  }

  /** The process we forked for its only environment. */
  long pid() {
    return lambda.report(NAME).pids().getFirst();
  }

  @Override
  public void close() {
    lambda.close();
  }
}
