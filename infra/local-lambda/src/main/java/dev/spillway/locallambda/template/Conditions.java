package dev.spillway.locallambda.template;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A template's Conditions, each true or false: Fn::Equals, Fn::And, Fn::Or, Fn::Not and Condition,
 * over parameters and mappings. They may use one another, but no resource.
 */
final class Conditions {
  private final Map<?, ?> declared;
  private final Intrinsics plain;
  private final Map<String, Boolean> known = new HashMap<>();
  private final Set<String> open = new LinkedHashSet<>();

  private Conditions(Map<?, ?> declared, Intrinsics plain) {
    this.declared = declared;
    this.plain = plain;
  }

  /**
   * @param plain knows parameters and mappings
   */
  static Map<String, Boolean> of(Map<?, ?> declared, Intrinsics plain) {
    var conditions = new Conditions(declared, plain);
    declared.keySet().forEach(name -> conditions.holds(String.valueOf(name)));
    return Map.copyOf(conditions.known);
  }

  private boolean holds(String name) {
    Boolean before = known.get(name);
    if (before != null) {
      return before;
    }
    if (!declared.containsKey(name)) {
      throw new TemplateException("the template has no condition " + name);
    }
    if (!open.add(name)) {
      throw new TemplateException("conditions go round in a circle: " + open);
    }
    boolean holds = evaluate(declared.get(name));
    open.remove(name);
    known.put(name, holds);
    return holds;
  }

  private boolean evaluate(Object condition) {
    if (!(condition instanceof Map<?, ?> call) || call.size() != 1) {
      throw new TemplateException("a condition was expected, not " + condition);
    }
    Map.Entry<?, ?> only = call.entrySet().iterator().next();
    Object argument = only.getValue();
    return switch (String.valueOf(only.getKey())) {
      case "Condition" -> holds(String.valueOf(argument));
      case "Fn::Equals" -> {
        List<?> pair = operands("Fn::Equals", argument, 2, 2);
        yield plain.text(pair.get(0)).equals(plain.text(pair.get(1)));
      }
      case "Fn::Not" -> !evaluate(operands("Fn::Not", argument, 1, 1).getFirst());
      case "Fn::And" -> operands("Fn::And", argument, 2, 10).stream().allMatch(this::evaluate);
      case "Fn::Or" -> operands("Fn::Or", argument, 2, 10).stream().anyMatch(this::evaluate);
      default -> throw new TemplateException(only.getKey() + " makes no condition");
    };
  }

  private static List<?> operands(String name, Object argument, int least, int most) {
    if (argument instanceof List<?> list && list.size() >= least && list.size() <= most) {
      return list;
    }
    throw new TemplateException(name + " takes " + least + " to " + most + " operands");
  }
}
