package dev.spillway.locallambda.template;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a template says about one function, every reference resolved.
 *
 * @param name what callers invoke: FunctionName, or the logical id where there is none
 * @param codeUri a zip or a directory on this machine; empty where the code is in S3
 * @param reservedConcurrency empty where the template reserves nothing
 * @param alias the alias that is published with each version; it points at version 1
 */
public record FunctionSettings(
    String name,
    String handler,
    Optional<Path> codeUri,
    int memoryMegabytes,
    Duration timeout,
    OptionalInt reservedConcurrency,
    Map<String, String> environment,
    Optional<String> alias) {

  /** The bounds are CreateFunction's. */
  public FunctionSettings {
    environment = Map.copyOf(environment);
    if (!name.matches("[a-zA-Z0-9-_]{1,64}")) {
      throw new TemplateException("not a function name: " + name);
    }
    if (memoryMegabytes < 128 || memoryMegabytes > 10_240) {
      throw new TemplateException(
          name + ": MemorySize must be 128 to 10240, not " + memoryMegabytes);
    }
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0
        || timeout.compareTo(Duration.ofSeconds(900)) > 0) {
      throw new TemplateException(
          name + ": Timeout must be 1 to 900 seconds, not " + timeout.toSeconds());
    }
    if (reservedConcurrency.isPresent() && reservedConcurrency.getAsInt() < 0) {
      throw new TemplateException(name + ": ReservedConcurrentExecutions must not be negative");
    }
  }

  /** The version that runs: 1 once an alias publishes versions, $LATEST otherwise. */
  public String version() {
    return alias.isPresent() ? "1" : "$LATEST";
  }

  /** The same function with other variables. */
  FunctionSettings withEnvironment(Map<String, String> other) {
    return new FunctionSettings(
        name, handler, codeUri, memoryMegabytes, timeout, reservedConcurrency, other, alias);
  }

  /** The same function with other code. */
  public FunctionSettings withCodeUri(Path other) {
    return new FunctionSettings(
        name,
        handler,
        Optional.of(other),
        memoryMegabytes,
        timeout,
        reservedConcurrency,
        environment,
        alias);
  }
}
