package dev.spillway.locallambda.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Resolves the intrinsic functions that a function's settings use: Ref, Fn::If, Fn::FindInMap,
 * Fn::Sub, Fn::GetAtt (of a function's Arn) and Fn::Join. Any other is refused by name, because a
 * value that is silently wrong costs more than a start that fails.
 *
 * @param mappings the template's Mappings
 * @param conditions each one's outcome, for Fn::If
 * @param names logical id to function name, for Ref and GetAtt
 */
record Intrinsics(
    Map<String, String> parameters,
    Map<?, ?> mappings,
    Map<String, Boolean> conditions,
    Map<String, String> names,
    Account account) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(!?)([^}]+)}");

  Intrinsics {
    parameters = Map.copyOf(parameters);
    conditions = Map.copyOf(conditions);
    names = Map.copyOf(names);
  }

  /** With the outcomes of conditions, which need the parameters first. */
  Intrinsics withConditions(Map<String, Boolean> outcomes) {
    return new Intrinsics(parameters, mappings, outcomes, names, account);
  }

  /** With the functions' names, which may use parameters and conditions. */
  Intrinsics withNames(Map<String, String> functions) {
    return new Intrinsics(parameters, mappings, conditions, functions, account);
  }

  /** Whether the condition that a resource names holds; one that names none always exists. */
  boolean exists(Map<?, ?> resource) {
    Object condition = resource.get("Condition");
    return condition == null || holds(String.valueOf(condition));
  }

  /** What {@code value} stands for where it is an Fn::If; null where that is AWS::NoValue. */
  Object chosen(Object value) {
    if (value instanceof Map<?, ?> call && call.size() == 1) {
      if (call.get("Fn::If") instanceof List<?> choice && choice.size() == 3) {
        return chosen(choice.get(holds(String.valueOf(choice.get(0))) ? 1 : 2));
      }
      if (call.containsKey("Fn::If")) {
        throw new TemplateException("Fn::If takes a condition and two values");
      }
      return "AWS::NoValue".equals(call.get("Ref")) ? null : value;
    }
    return value;
  }

  /** A map that a template may also leave out, or choose by Fn::If. */
  Map<?, ?> map(Map<?, ?> parent, String key) {
    return switch (chosen(parent.get(key))) {
      case null -> Map.of();
      case Map<?, ?> map -> map;
      default -> throw new TemplateException(key + " is not a map");
    };
  }

  /** A scalar as text; empty for an absent value and for AWS::NoValue. */
  Optional<String> text(Object value) {
    return switch (chosen(value)) {
      case null -> Optional.empty();
      case Map<?, ?> call when call.size() == 1 -> call(call);
      case Map<?, ?> map -> throw new TemplateException("a value was expected, not " + map);
      case List<?> list -> throw new TemplateException("a value was expected, not " + list);
      case Object scalar -> Optional.of(scalar.toString());
    };
  }

  /** A whole number, or {@code otherwise} where there is no value. */
  int number(Object value, String property, int otherwise) {
    Optional<String> text = text(value);
    try {
      return text.map(String::strip).map(Integer::parseInt).orElse(otherwise);
    } catch (NumberFormatException e) {
      throw new TemplateException(property + " must be a whole number, not " + text.orElse(""));
    }
  }

  private Optional<String> call(Map<?, ?> call) {
    Map.Entry<?, ?> only = call.entrySet().iterator().next();
    Object argument = only.getValue();
    return switch (String.valueOf(only.getKey())) {
      case "Ref" -> Optional.of(lookup(String.valueOf(argument)));
      case "Fn::FindInMap" -> text(found(argument));
      case "Fn::Sub" -> Optional.of(sub(argument));
      case "Fn::GetAtt" -> Optional.of(attribute(dotted(argument)));
      case "Fn::Join" -> Optional.of(join(argument));
      default ->
          throw new TemplateException(
              only.getKey()
                  + " is not resolved here: use Ref, Fn::If, Fn::FindInMap, Fn::Sub, Fn::GetAtt"
                  + " or Fn::Join");
    };
  }

  private boolean holds(String condition) {
    Boolean outcome = conditions.get(condition);
    if (outcome == null) {
      throw new TemplateException("the template has no condition " + condition);
    }
    return outcome;
  }

  private Object found(Object argument) {
    if (!(argument instanceof List<?> path) || path.size() != 3) {
      throw new TemplateException("Fn::FindInMap takes a map and two keys");
    }
    Object at = mappings;
    for (Object step : path) {
      String key = text(step).orElse("");
      at = at instanceof Map<?, ?> map ? map.get(key) : null;
      if (at == null) {
        throw new TemplateException("Fn::FindInMap finds no " + key + " of " + path);
      }
    }
    return at;
  }

  private String lookup(String name) {
    String value =
        switch (name) {
          case "AWS::Region" -> account.region();
          case "AWS::AccountId" -> account.id();
          case "AWS::Partition" -> "aws";
          case "AWS::URLSuffix" -> "amazonaws.com";
          case "AWS::StackName" -> "local";
          default -> parameters.getOrDefault(name, names.get(name));
        };
    if (value == null) {
      throw new TemplateException("Ref to " + name + ", which is no parameter and no function");
    }
    return value;
  }

  private String attribute(String dotted) {
    int dot = dotted.indexOf('.');
    String function = dot < 0 ? null : names.get(dotted.substring(0, dot));
    if (function == null || !dotted.endsWith(".Arn")) {
      throw new TemplateException("GetAtt " + dotted + ": only a function's Arn is known here");
    }
    return account.functionArn(function);
  }

  private static String dotted(Object argument) {
    return argument instanceof List<?> parts
        ? parts.stream().map(String::valueOf).collect(Collectors.joining("."))
        : String.valueOf(argument);
  }

  private String join(Object argument) {
    if (argument instanceof List<?> pair
        && pair.size() == 2
        && pair.get(1) instanceof List<?> parts) {
      return parts.stream()
          .map(part -> text(part).orElse(""))
          .collect(Collectors.joining(String.valueOf(pair.get(0))));
    }
    throw new TemplateException("Fn::Join takes a delimiter and a list");
  }

  private String sub(Object argument) {
    Map<String, String> own = new LinkedHashMap<>();
    Object template = argument;
    if (argument instanceof List<?> pair
        && pair.size() == 2
        && pair.get(1) instanceof Map<?, ?> variables) {
      template = pair.get(0);
      variables.forEach((name, value) -> own.put(String.valueOf(name), text(value).orElse("")));
    }
    return PLACEHOLDER
        .matcher(String.valueOf(template))
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1).equals("!")
                        ? "${" + match.group(2) + "}"
                        : substitute(match.group(2), own)));
  }

  private String substitute(String name, Map<String, String> own) {
    if (own.containsKey(name)) {
      return own.get(name);
    }
    return name.contains(".") ? attribute(name) : lookup(name);
  }
}
