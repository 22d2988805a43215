package dev.spillway.locallambda;

import dev.spillway.locallambda.confine.Demand;
import dev.spillway.locallambda.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** What the command line asks for. */
sealed interface CommandLine {
  int DEFAULT_PORT = 9001;

  String HELP =
      """
      AWS Lambda on loopback, for development and tests.

        java -jar local-lambda.jar --template template.yaml [options]

      Options:
        --template FILE           SAM template (required)
        --port N                  port of the Invoke API on 127.0.0.1 (9001; 0 for any free one)
        --port-file FILE          write the port there once it is open
        --concurrency N           in place of what the template reserves
        --parameter NAME=VALUE    value of a template parameter; may be repeated
        --secret NAME=FILE        a secret the template refers to, by logical id or ARN
        --function-package PATH   zip or directory in place of the template's CodeUri
        --region NAME             region of the functions' ARNs (eu-central-1)
        --cache DIRECTORY         unpacked packages and AOT caches (~/.cache/spillway/local-lambda)
        --no-aot                  start Java functions without an AOT cache
        --sandbox auto|on|off     a file system and processes of its own for each environment, by
                                  bubblewrap (auto: where there is one)
        --verify-signatures       refuse calls that are not signed by the key pair in
                                  AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
        --fault NAME              let every invocation go wrong that way; "help" lists the names
        --help                    this text
      """;

  /** Serve this, and write the port to the file, if one is named. */
  record Run(LocalLambdaConfig config, Optional<Path> portFile) implements CommandLine {}

  /** Print {@link #HELP}. */
  record Help() implements CommandLine {}

  /** Print {@link Fault#list}. */
  record Faults() implements CommandLine {}

  /** Say why not, and exit with 2. */
  record Wrong(String why) implements CommandLine {}

  static CommandLine parse(List<String> arguments) {
    if (arguments.contains("--help")) {
      return new Help();
    }
    if ("help".equals(valueOf("--fault", arguments))) {
      return new Faults();
    }
    Deque<String> left = new ArrayDeque<>(arguments);
    String template = valueOf("--template", arguments);
    if (template == null) {
      return new Wrong("--template FILE is required");
    }
    var config = LocalLambdaConfig.of(Path.of(template)).port(DEFAULT_PORT);
    Optional<Path> portFile = Optional.empty();
    while (!left.isEmpty()) {
      String option = left.removeFirst();
      try {
        if (option.equals("--port-file")) {
          portFile = Optional.of(Path.of(left.removeFirst()));
        } else if (!apply(option, left, config)) {
          return new Wrong("unknown option " + option);
        }
      } catch (NoSuchElementException e) {
        return new Wrong(option + " needs a value");
      } catch (IllegalArgumentException e) {
        return new Wrong(option + ": " + e.getMessage());
      }
    }
    try {
      return new Run(config.build(), portFile);
    } catch (IllegalArgumentException e) {
      return new Wrong(e.getMessage());
    }
  }

  private static String valueOf(String name, List<String> arguments) {
    int option = arguments.indexOf(name);
    return option < 0 || option + 1 == arguments.size() ? null : arguments.get(option + 1);
  }

  private static boolean apply(
      String option, Deque<String> left, LocalLambdaConfig.Builder config) {
    switch (option) {
      case "--template" -> left.removeFirst();
      case "--port" -> config.port(number(left.removeFirst()));
      case "--concurrency" -> config.concurrency(number(left.removeFirst()));
      case "--parameter" -> {
        String[] pair = left.removeFirst().split("=", 2);
        if (pair.length != 2) {
          throw new IllegalArgumentException("must be NAME=VALUE");
        }
        config.parameter(pair[0], pair[1]);
      }
      case "--secret" -> {
        String[] pair = left.removeFirst().split("=", 2);
        if (pair.length != 2) {
          throw new IllegalArgumentException("must be NAME=FILE");
        }
        config.secret(pair[0], secret(Path.of(pair[1])));
      }
      case "--function-package" -> config.functionPackage(Path.of(left.removeFirst()));
      case "--region" -> config.region(left.removeFirst());
      case "--cache" -> config.cache(Path.of(left.removeFirst()));
      case "--no-aot" -> config.aot(false);
      case "--sandbox" -> config.sandbox(Demand.labelled(left.removeFirst()));
      case "--verify-signatures" ->
          config.signer(environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"));
      case "--fault" -> config.fault(fault(left.removeFirst()));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("needs a key pair: " + name + " is not set");
    }
    return value;
  }

  private static String secret(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file, e);
    }
  }

  private static Fault fault(String label) {
    return Fault.labelled(label)
        .orElseThrow(() -> new IllegalArgumentException("no such fault: " + label));
  }

  private static int number(String text) {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number, not " + text, e);
    }
    if (number < 0) {
      throw new IllegalArgumentException("must not be negative");
    }
    return number;
  }
}
