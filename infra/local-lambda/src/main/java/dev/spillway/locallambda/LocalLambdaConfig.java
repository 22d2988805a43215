package dev.spillway.locallambda;

import dev.spillway.locallambda.confine.Demand;
import dev.spillway.locallambda.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What a {@link LocalLambda} runs and how.
 *
 * @param port of the Invoke API on 127.0.0.1; 0 for any free one
 * @param signer whose signature every call must bear; empty where any or none will do
 * @param fault what goes wrong from the start
 * @param log one line at a time, functions' own lines under their prefix
 */
public record LocalLambdaConfig(
    Stack stack,
    Machine machine,
    int port,
    Optional<KeyPair> signer,
    Optional<Fault> fault,
    Consumer<String> log) {
  public LocalLambdaConfig {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    fault.ifPresent(Fault::checkAvailable);
  }

  /**
   * What is deployed.
   *
   * @param parameters values for the template's parameters
   * @param secrets values of the secrets that the template's dynamic references name
   * @param concurrency in place of what the template reserves, for every function
   * @param functionPackage in place of the template's CodeUri, for every function
   * @param initLimit Lambda's is 10 s
   */
  public record Stack(
      Path template,
      Map<String, String> parameters,
      String region,
      Map<String, String> secrets,
      OptionalInt concurrency,
      Optional<Path> functionPackage,
      Duration initLimit) {
    public Stack {
      Objects.requireNonNull(template, "template");
      parameters = Map.copyOf(parameters);
      secrets = Map.copyOf(secrets);
    }

    /** Leaves the secrets out. */
    @Override
    public String toString() {
      return "Stack[%s]".formatted(template);
    }
  }

  /**
   * How this machine runs it.
   *
   * @param cache where packages are unpacked and AOT caches kept
   * @param idleLife how long a frozen environment is kept; Lambda does not say, minutes
   * @param sandbox whether functions see their own file system and processes only
   * @param aot whether managed-Java packages get an AOT cache
   * @param settle how long an answer waits, at most, for its environment to be ready for another
   *     event
   */
  public record Machine(
      Path cache, Duration idleLife, Demand sandbox, boolean aot, Duration settle) {}

  /** Defaults for tests: any free port, everything else as the template says. */
  public static Builder of(Path template) {
    return new Builder(template);
  }

  /** Collects a {@link LocalLambdaConfig}. */
  public static final class Builder {
    private final Path template;
    private final Map<String, String> parameters = new HashMap<>();
    private final Map<String, String> secrets = new HashMap<>();
    private int port;
    private OptionalInt concurrency = OptionalInt.empty();
    private Optional<Path> functionPackage = Optional.empty();
    private String region = "eu-central-1";
    private Path cache = defaultCache();
    private boolean aot = true;
    private Demand sandbox = Demand.AUTO;

    private Duration initLimit = Duration.ofSeconds(10);
    private Duration idleLife = Duration.ofMinutes(5);
    private Duration settle = Duration.ofSeconds(1);
    private Optional<KeyPair> signer = Optional.empty();
    private Optional<Fault> fault = Optional.empty();
    private Consumer<String> log = System.err::println;

    private Builder(Path template) {
      this.template = template;
    }

    public Builder port(int value) {
      port = value;
      return this;
    }

    public Builder parameter(String name, String value) {
      parameters.put(name, value);
      return this;
    }

    /**
     * @param name logical id or ARN
     */
    public Builder secret(String name, String value) {
      secrets.put(name, value);
      return this;
    }

    public Builder concurrency(int value) {
      concurrency = OptionalInt.of(value);
      return this;
    }

    public Builder functionPackage(Path value) {
      functionPackage = Optional.of(value);
      return this;
    }

    public Builder region(String value) {
      region = value;
      return this;
    }

    public Builder cache(Path value) {
      cache = value;
      return this;
    }

    public Builder aot(boolean value) {
      aot = value;
      return this;
    }

    public Builder sandbox(Demand value) {
      sandbox = value;
      return this;
    }

    public Builder initLimit(Duration value) {
      initLimit = value;
      return this;
    }

    public Builder idleLife(Duration value) {
      idleLife = value;
      return this;
    }

    public Builder settle(Duration value) {
      settle = value;
      return this;
    }

    /** From now on a call is refused that this key pair has not signed. */
    public Builder signer(String accessKeyId, String secretAccessKey) {
      signer = Optional.of(new KeyPair(accessKeyId, secretAccessKey));
      return this;
    }

    public Builder fault(Fault value) {
      fault = Optional.of(value);
      return this;
    }

    public Builder log(Consumer<String> value) {
      log = value;
      return this;
    }

    public LocalLambdaConfig build() {
      return new LocalLambdaConfig(
          new Stack(template, parameters, region, secrets, concurrency, functionPackage, initLimit),
          new Machine(cache, idleLife, sandbox, aot, settle),
          port,
          signer,
          fault,
          log);
    }

    private static Path defaultCache() {
      String xdg = System.getenv("XDG_CACHE_HOME");
      Path base =
          xdg == null || xdg.isBlank()
              ? Path.of(System.getProperty("user.home"), ".cache")
              : Path.of(xdg);
      return base.resolve("spillway").resolve("local-lambda");
    }
  }
}
