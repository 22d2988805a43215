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
 * The functions of a SAM template: its AWS::Serverless::Function resources with Globals merged in.
 * Every other resource, and every property that says nothing about how the function runs, is left
 * unread.
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

  private Template() {}

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
    Map<?, ?> globals = map(map(document, "Globals"), "Function");
    Map<String, Map<?, ?>> functions = functions(document);
    Map<String, String> values = values(map(document, "Parameters"), parameters);
    // A FunctionName may use parameters, but not other functions.
    var named = new Intrinsics(values, Map.of(), account);
    Map<String, String> names = new LinkedHashMap<>();
    functions.forEach(
        (id, properties) -> names.put(id, named.text(properties.get("FunctionName")).orElse(id)));
    var intrinsics = new Intrinsics(values, names, account);
    Path base = Optional.ofNullable(file.toAbsolutePath().getParent()).orElseThrow();
    List<FunctionSettings> settings = new ArrayList<>();
    functions.forEach(
        (id, properties) ->
            settings.add(settings(names.get(id), properties, globals, intrinsics, base)));
    if (settings.isEmpty()) {
      throw new TemplateException(file + " has no AWS::Serverless::Function");
    }
    return List.copyOf(settings);
  }

  private static FunctionSettings settings(
      String name, Map<?, ?> own, Map<?, ?> globals, Intrinsics intrinsics, Path base) {
    Map<Object, Object> properties = new HashMap<>(globals);
    properties.putAll(own);
    String codeUri =
        intrinsics
            .text(properties.get("CodeUri"))
            .orElseThrow(() -> new TemplateException(name + " has no CodeUri"));
    Optional<String> reserved = intrinsics.text(properties.get("ReservedConcurrentExecutions"));
    return new FunctionSettings(
        name,
        intrinsics.text(properties.get("Handler")).orElse(""),
        base.resolve(codeUri).normalize(),
        intrinsics.number(properties.get("MemorySize"), "MemorySize", 128),
        Duration.ofSeconds(intrinsics.number(properties.get("Timeout"), "Timeout", 3)),
        reserved.isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of(intrinsics.number(reserved.get(), "ReservedConcurrentExecutions", 0)),
        environment(name, own, globals, intrinsics),
        intrinsics.text(properties.get("AutoPublishAlias")));
  }

  private static Map<String, String> environment(
      String name, Map<?, ?> own, Map<?, ?> globals, Intrinsics intrinsics) {
    Map<Object, Object> variables = new HashMap<>(map(map(globals, "Environment"), "Variables"));
    variables.putAll(map(map(own, "Environment"), "Variables"));
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

  private static Map<String, Map<?, ?>> functions(Map<?, ?> document) {
    Map<String, Map<?, ?>> functions = new LinkedHashMap<>();
    map(document, "Resources")
        .forEach(
            (id, resource) -> {
              if (resource instanceof Map<?, ?> it
                  && "AWS::Serverless::Function".equals(it.get("Type"))) {
                functions.put(String.valueOf(id), map(it, "Properties"));
              }
            });
    return functions;
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
