package dev.spillway.locallambda.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The functions of a template: its AWS::Serverless::Function resources with Globals merged in, or,
 * where SAM's transform has been over it already, its AWS::Lambda::Function resources. Both say the
 * same of one function; TransformedTemplateTest holds them to it. Every other resource, and every
 * property that says nothing about how the function runs, is left unread.
 */
public final class Template {
  /** Names that CreateFunction refuses in Environment (the ones a template could plausibly set). */
  private static final Set<String> RESERVED =
      Set.of(
          "_HANDLER",
          "_X_AMZN_TRACE_ID",
          "AWS_REGION",
          "AWS_DEFAULT_REGION",
          "AWS_EXECUTION_ENV",
          "AWS_LAMBDA_FUNCTION_NAME",
          "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
          "AWS_LAMBDA_FUNCTION_VERSION",
          "AWS_LAMBDA_INITIALIZATION_TYPE",
          "AWS_LAMBDA_LOG_GROUP_NAME",
          "AWS_LAMBDA_LOG_STREAM_NAME",
          "AWS_ACCESS_KEY",
          "AWS_ACCESS_KEY_ID",
          "AWS_SECRET_ACCESS_KEY",
          "AWS_SESSION_TOKEN",
          "AWS_LAMBDA_RUNTIME_API",
          "LAMBDA_TASK_ROOT",
          "LAMBDA_RUNTIME_DIR");

  /** How Code and CodeUri name an object in S3. */
  private static final Set<String> IN_S3 = Set.of("S3Bucket", "S3Key", "Bucket", "Key");

  private final Map<?, ?> document;
  private final Map<?, ?> globals;
  private final Intrinsics intrinsics;
  private final Path file;

  private Template(Map<?, ?> document, Intrinsics intrinsics, Path file) {
    this.document = document;
    this.globals = map(map(document, "Globals"), "Function");
    this.intrinsics = intrinsics;
    this.file = file;
  }

  /** Reads {@code file}; {@code parameters} take the place of the template's defaults. */
  public static List<FunctionSettings> read(
      Path file, Map<String, String> parameters, Account account) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new TemplateException("cannot read " + file + ": " + e.getMessage());
    }
    Map<?, ?> document = CloudFormationYaml.parse(text);
    Map<String, String> values = values(map(document, "Parameters"), parameters);
    var plain = new Intrinsics(values, map(document, "Mappings"), Map.of(), Map.of(), account);
    // A FunctionName may use parameters and conditions, but not other functions.
    var named = plain.withConditions(Conditions.of(map(document, "Conditions"), plain));
    Map<String, Map<?, ?>> functions = resources(document, "AWS::Serverless::Function", named);
    functions.putAll(resources(document, "AWS::Lambda::Function", named));
    Map<String, String> names = new LinkedHashMap<>();
    functions.forEach(
        (id, properties) -> names.put(id, named.text(properties.get("FunctionName")).orElse(id)));
    // A Ref to a secret is its ARN on AWS; here, where there is one account, its id is enough.
    resources(document, "AWS::SecretsManager::Secret", named)
        .keySet()
        .forEach(id -> names.put(id, id));
    var template = new Template(document, named.withNames(names), file.toAbsolutePath());
    List<FunctionSettings> settings = new ArrayList<>();
    functions.forEach(
        (id, properties) -> settings.add(template.settings(names.get(id), properties)));
    if (settings.isEmpty()) {
      throw new TemplateException(file + " has no function");
    }
    return List.copyOf(settings);
  }

  private FunctionSettings settings(String name, Map<?, ?> own) {
    Map<Object, Object> properties = new HashMap<>(globals);
    properties.putAll(own);
    Optional<String> reserved = intrinsics.text(properties.get("ReservedConcurrentExecutions"));
    return new FunctionSettings(
        name,
        intrinsics.text(properties.get("Handler")).orElse(""),
        code(name, properties),
        intrinsics.number(properties.get("MemorySize"), "MemorySize", 128),
        Duration.ofSeconds(intrinsics.number(properties.get("Timeout"), "Timeout", 3)),
        reserved.isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of(intrinsics.number(reserved.get(), "ReservedConcurrentExecutions", 0)),
        environment(name, own),
        alias(name, properties));
  }

  /** Empty where the template says that the code is somewhere in S3. */
  private Optional<Path> code(String name, Map<?, ?> properties) {
    Object code =
        intrinsics.chosen(
            properties.containsKey("Code") ? properties.get("Code") : properties.get("CodeUri"));
    if (code instanceof Map<?, ?> place && place.keySet().stream().anyMatch(IN_S3::contains)) {
      return Optional.empty();
    }
    String uri =
        intrinsics.text(code).orElseThrow(() -> new TemplateException(name + " has no CodeUri"));
    return uri.startsWith("s3://")
        ? Optional.empty()
        : Optional.of(file.resolveSibling(uri).normalize());
  }

  /** SAM makes an AWS::Lambda::Alias of AutoPublishAlias. */
  private Optional<String> alias(String name, Map<?, ?> properties) {
    Optional<String> published = intrinsics.text(properties.get("AutoPublishAlias"));
    return published.isPresent()
        ? published
        : resources(document, "AWS::Lambda::Alias", intrinsics).values().stream()
            .filter(alias -> intrinsics.text(alias.get("FunctionName")).equals(Optional.of(name)))
            .findFirst()
            .flatMap(alias -> intrinsics.text(alias.get("Name")));
  }

  private Map<String, String> environment(String name, Map<?, ?> own) {
    Map<Object, Object> variables = new HashMap<>(variables(globals));
    variables.putAll(variables(own));
    Map<String, String> resolved = new HashMap<>();
    variables.forEach(
        (key, value) -> {
          if (RESERVED.contains(String.valueOf(key))) {
            throw new TemplateException(name + ": Lambda reserves the variable " + key);
          }
          intrinsics.text(value).ifPresent(text -> resolved.put(String.valueOf(key), text));
        });
    return resolved;
  }

  private Map<?, ?> variables(Map<?, ?> properties) {
    return intrinsics.map(intrinsics.map(properties, "Environment"), "Variables");
  }

  /**
   * The properties of the resources of one type, by logical id, those left out that a condition
   * leaves out.
   */
  private static Map<String, Map<?, ?>> resources(
      Map<?, ?> document, String type, Intrinsics intrinsics) {
    Map<String, Map<?, ?>> found = new LinkedHashMap<>();
    map(document, "Resources")
        .forEach(
            (id, resource) -> {
              if (resource instanceof Map<?, ?> it
                  && type.equals(it.get("Type"))
                  && intrinsics.exists(it)) {
                found.put(String.valueOf(id), map(it, "Properties"));
              }
            });
    return found;
  }

  private static Map<String, String> values(Map<?, ?> declared, Map<String, String> given) {
    for (String name : given.keySet()) {
      if (!declared.containsKey(name)) {
        throw new TemplateException("the template has no parameter " + name);
      }
    }
    Map<String, String> values = new HashMap<>();
    for (var entry : declared.entrySet()) {
      String name = String.valueOf(entry.getKey());
      Map<?, ?> declaration = map(declared, name);
      Object value = given.containsKey(name) ? given.get(name) : declaration.get("Default");
      if (value == null) {
        throw new TemplateException("parameter " + name + " has no default: give it a value");
      }
      if (declaration.get("AllowedValues") instanceof List<?> allowed
          && allowed.stream().map(String::valueOf).noneMatch(value.toString()::equals)) {
        throw new TemplateException("parameter " + name + " must be one of " + allowed);
      }
      values.put(name, value.toString());
    }
    return values;
  }

  private static Map<?, ?> map(Map<?, ?> parent, String key) {
    return switch (parent.get(key)) {
      case null -> Map.of();
      case Map<?, ?> map -> map;
      default -> throw new TemplateException(key + " is not a map");
    };
  }
}
