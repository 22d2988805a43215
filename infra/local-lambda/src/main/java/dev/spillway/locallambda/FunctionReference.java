package dev.spillway.locallambda;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a caller names a function: {@code name}, {@code account:function:name} or an ARN, each with
 * or without {@code :qualifier}.
 */
record FunctionReference(
    String name, Optional<String> qualifier, Optional<String> region, Optional<String> account) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?:arn:aws[a-z-]*:lambda:(?<region>[a-z0-9-]+):)?(?<account>\\d{12}):function:"
              + "|function:)?"
              + "(?<name>[a-zA-Z0-9-_]{1,64})(?::(?<qualifier>\\$LATEST|[a-zA-Z0-9-_]{1,128}))?");

  /** Empty where {@code text} is none of these. */
  static Optional<FunctionReference> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new FunctionReference(
                form.group("name"),
                Optional.ofNullable(form.group("qualifier")),
                Optional.ofNullable(form.group("region")),
                Optional.ofNullable(form.group("account"))))
        : Optional.empty();
  }
}
