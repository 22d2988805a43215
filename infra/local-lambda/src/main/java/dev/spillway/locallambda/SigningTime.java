package dev.spillway.locallambda;

import com.sun.net.httpserver.HttpExchange;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The one thing about a signature that is checked so far: its time, which AWS lets be five minutes
 * off. A request that bears none is not signed, and passes.
 */
final class SigningTime implements CallerCheck {
  private static final Duration TOLERATED = Duration.ofMinutes(5);
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX").withZone(ZoneOffset.UTC);

  private final Supplier<Clock> clock;

  /**
   * @param clock asked anew for each request
   */
  SigningTime(Supplier<Clock> clock) {
    this.clock = clock;
  }

  @Override
  public Optional<ServiceError> refusal(HttpExchange exchange, byte[] body) {
    String date = exchange.getRequestHeaders().getFirst("X-Amz-Date");
    return date == null ? Optional.empty() : refusal(date, clock.get().instant());
  }

  private static Optional<ServiceError> refusal(String date, Instant now) {
    Instant signed;
    try {
      signed = Instant.from(FORM.parse(date));
    } catch (DateTimeParseException e) {
      return Optional.of(ServiceError.invalidSignature("Date must be in ISO-8601 'basic format'."));
    }
    Instant earliest = now.minus(TOLERATED);
    Instant latest = now.plus(TOLERATED);
    if (signed.isBefore(earliest)) {
      return Optional.of(
          ServiceError.invalidSignature(
              "Signature expired: %s is now earlier than %s (%s - 5 min.)"
                  .formatted(date, FORM.format(earliest), FORM.format(now))));
    }
    if (signed.isAfter(latest)) {
      return Optional.of(
          ServiceError.invalidSignature(
              "Signature not yet current: %s is still later than %s (%s + 5 min.)"
                  .formatted(date, FORM.format(latest), FORM.format(now))));
    }
    return Optional.empty();
  }
}
