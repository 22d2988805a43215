package dev.spillway.console;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Times with their unit, as in the service's configuration: {@code 500ms}, {@code 1s}, {@code 2m}.
 */
final class Durations implements ITypeConverter<Duration> {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw new TypeConversionException("'" + text + "' is no time; one looks like 500ms, 1s, 2m");
    }
    long number = Long.parseLong(time.group(1));
    return switch (time.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
