package dev.spillway.locallambda;

import dev.spillway.locallambda.confine.Demand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * The shell function of {@code fake/bootstrap}, deployed as {@code Fake} from a template of its
 * own: no sleep to start, processes below it that have to be frozen and killed with it.
 */
final class FakeFunction {
  static final String NAME = "Fake";

  private final Path directory;
  private final List<String> log = new CopyOnWriteArrayList<>();

  private FakeFunction(Path directory) {
    this.directory = directory;
  }

  static FakeFunction in(Path directory) {
    var fake = new FakeFunction(directory);
    try (InputStream script = FakeFunction.class.getResourceAsStream("/fake/bootstrap")) {
      Files.createDirectories(fake.state());
      Path bootstrap = Files.createDirectories(fake.code()).resolve("bootstrap");
      Files.copy(script, bootstrap);
      Files.setPosixFilePermissions(bootstrap, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return fake;
  }

  Path code() {
    return directory.resolve("code");
  }

  /** The directory that the function and its test share. */
  Path state() {
    return directory.resolve("state");
  }

  Path cache() {
    return directory.resolve("cache");
  }

  /** What local-lambda logged, functions' own lines included. */
  List<String> log() {
    return log;
  }

  /** A template whose function starts as {@code init} says and gets {@code timeout} seconds. */
  Path template(String init, int timeout, int reserved) {
    return write(
        """
        Parameters:
          Reserved: {Type: Number, Default: %d}
        Resources:
          Fake:
            Type: AWS::Serverless::Function
            Properties:
              CodeUri: code
              Runtime: provided.al2023
              Handler: not.used
              MemorySize: 256
              Timeout: %d
              AutoPublishAlias: live
              ReservedConcurrentExecutions: !Ref Reserved
              Environment:
                Variables:
                  STATE: "%s"
                  INIT: "%s"
        """
            .formatted(reserved, timeout, state(), init));
  }

  private Path write(String template) {
    try {
      return Files.writeString(directory.resolve("template.yaml"), template);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  LocalLambda start() throws IOException {
    return start(template("", 20, 8), UnaryOperator.identity());
  }

  LocalLambda start(Path template, UnaryOperator<LocalLambdaConfig.Builder> options)
      throws IOException {
    var config =
        LocalLambdaConfig.of(template)
            .cache(cache())
            .sandbox(Demand.OFF) // it shares a directory with the test
            .settle(Observe.PATIENCE) // a caller with an answer finds it ready
            .log(log::add);
    return LocalLambda.start(options.apply(config).build());
  }

  /** Lets every call that holds go on. */
  void release() throws IOException {
    Files.createFile(state().resolve("release"));
  }
}
