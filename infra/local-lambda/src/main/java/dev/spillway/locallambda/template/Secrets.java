package dev.spillway.locallambda.template;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The secrets that a template's dynamic references name, in place of Secrets Manager. Only a whole
 * SecretString is known here, and only in the variables of a function.
 *
 * @param values by logical id or ARN
 */
public record Secrets(Map<String, String> values) {
  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\{\\{resolve:secretsmanager:(.+?)(?::SecretString(?:::[^:}]*:?[^:}]*)?)?}}");

  public Secrets {
    values = Map.copyOf(values);
  }

  /** The function with its variables' references replaced, as CloudFormation deploys it. */
  public FunctionSettings resolve(FunctionSettings function) {
    Map<String, String> resolved = new HashMap<>(function.environment());
    resolved.replaceAll((name, text) -> text(text));
    return function.withEnvironment(resolved);
  }

  private String text(String text) {
    return REFERENCE
        .matcher(text)
        .replaceAll(reference -> Matcher.quoteReplacement(value(reference.group(1))));
  }

  private String value(String id) {
    String value = values.get(id);
    if (value == null) {
      throw new TemplateException(
          "the template takes a variable from the secret " + id + ": --secret " + id + "=FILE");
    }
    return value;
  }

  /** Leaves the values out. */
  @Override
  public String toString() {
    return "Secrets" + values.keySet();
  }
}
