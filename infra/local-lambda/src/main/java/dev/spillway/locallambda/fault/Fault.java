package dev.spillway.locallambda.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.spillway.locallambda.environment.Mishap;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What can be made to go wrong, one at a time, with every invocation of every function. */
public enum Fault {
  THROTTLED_CONCURRENCY("429, the account's concurrency", throttled("ConcurrentInvocation")),
  THROTTLED_RATE("429, the account's rate", throttled("FunctionInvocationRate")),
  THROTTLED_RESERVED_CONCURRENCY(
      "429, the function's own concurrency", throttled("ReservedFunctionConcurrentInvocation")),
  THROTTLED_RESERVED_RATE(
      "429, the function's own rate", throttled("ReservedFunctionInvocationRate")),
  THROTTLED_CALLER("429, this caller's rate", throttled("CallerRate")),
  THROTTLED_SNAPSHOTS("429, snapshots created at once", throttled("ConcurrentSnapshotCreate")),
  INTERNAL_ERROR("500", refused(500, "ServiceException")),
  BAD_GATEWAY("502", refused(502, "EC2UnexpectedException")),
  UNAVAILABLE("503", refused(503, "ServiceUnavailableException")),
  FORBIDDEN("403: the caller may not invoke", refused(403, "AccessDeniedException")),
  NOT_FOUND("404: no such function", refused(404, "ResourceNotFoundException")),
  TOO_LARGE("413", refused(413, "RequestEntityTooLargeException")),
  FUNCTION_ERROR(
      "200 with X-Amz-Function-Error: the function throws at what it is given",
      new Effect.Misled("{}".getBytes(UTF_8))),
  FAILS_FAST(
      "200 with X-Amz-Function-Error within a millisecond, no process started",
      new Effect.FailedAtOnce()),
  HTML("200 with a page of HTML", new Effect.Spoilt("text/html", Spoiling::html)),
  EMPTY("200 with nothing", spoilt(Spoiling::nothing)),
  TRUNCATED("200 with the first half of the answer", spoilt(Spoiling::half)),
  WRONG_ID("200 with the digest of a job nobody gave it", spoilt(Spoiling::otherId)),
  WRONG_DIGEST("200 with the well-formed digest of another password", spoilt(Spoiling::other)),
  SHORT_DIGEST("200 with a digest of 30 characters", spoilt(Spoiling::shorter)),
  LONG_DIGEST("200 with a digest of 32 characters", spoilt(Spoiling::longer)),
  SILENT("accepted and never answered", new Effect.Broken(Effect.Manner.SILENT)),
  DRIP("answered at one byte a second", new Effect.Broken(Effect.Manner.DRIPPING)),
  RESET("connection reset in mid-body", new Effect.Broken(Effect.Manner.RESET)),
  CLOSED(
      "connection closed after each answer, unannounced", new Effect.Broken(Effect.Manner.CLOSED)),
  CRASH("the process is killed (SIGKILL) in mid-invocation", befallen(Mishap.CRASH)),
  EXIT("the process exits (SIGTERM) in mid-invocation", befallen(Mishap.EXIT)),
  SLOW_INIT(
      "a new process's init takes over its 10 s; the second attempt works",
      befallen(Mishap.SLOW_INIT)),
  NO_INIT(
      "a new process's init takes over its 10 s, and too long again inside the invocation",
      befallen(Mishap.NO_INIT)),
  SLOW("everything takes ten times as long", befallen(Mishap.SLOW)),
  CLOCK_OFF(
      "the clock here is 10 minutes ahead, and signatures' time is checked by it",
      new Effect.OffClock(Duration.ofMinutes(10))),
  BAD_DAY(
      "every second invocation meets one of a dozen of the above",
      new Effect.None(),
      THROTTLED_CONCURRENCY,
      INTERNAL_ERROR,
      BAD_GATEWAY,
      UNAVAILABLE,
      FUNCTION_ERROR,
      HTML,
      EMPTY,
      TRUNCATED,
      SILENT,
      RESET,
      CRASH,
      SLOW);

  private final String description;
  private final Effect effect;
  private final List<Fault> mixture;

  Fault(String description, Effect effect, Fault... mixture) {
    this.description = description;
    this.effect = effect;
    this.mixture = List.of(mixture);
  }

  /** Its name on command lines and in addresses. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** In a few words, what a caller meets. */
  public String description() {
    return description;
  }

  Effect effect() {
    return effect;
  }

  /** Of which it is made, where it is no fault of its own. */
  List<Fault> mixture() {
    return mixture;
  }

  /**
   * @throws IllegalArgumentException if this machine cannot have it
   */
  public void checkAvailable() {
    if (needsWire() && !Wire.AVAILABLE) {
      throw new IllegalArgumentException("the fault " + label() + " needs Linux");
    }
  }

  private boolean needsWire() {
    return switch (effect) {
      case Effect.Broken _, Effect.OffClock _ -> true;
      case Effect.None _,
          Effect.Refused _,
          Effect.FailedAtOnce _,
          Effect.Misled _,
          Effect.Spoilt _,
          Effect.Befallen _ ->
          mixture.stream().anyMatch(Fault::needsWire);
    };
  }

  /** The fault of that label. */
  public static Optional<Fault> labelled(String label) {
    return Arrays.stream(values()).filter(fault -> fault.label().equals(label)).findFirst();
  }

  /** All of them, a line each. */
  public static String list() {
    return Arrays.stream(values())
        .map(fault -> "%-32s%s%n".formatted(fault.label(), fault.description))
        .collect(Collectors.joining());
  }

  /** Reasons of TooManyRequestsException, API model 2015-03-31: all end alike. */
  private static Effect throttled(String what) {
    return new Effect.Refused(
        429, "TooManyRequestsException", "Rate Exceeded.", Optional.of(what + "LimitExceeded"));
  }

  private static Effect refused(int status, String code) {
    return new Effect.Refused(status, code, "an injected fault", Optional.empty());
  }

  private static Effect spoilt(UnaryOperator<byte[]> reply) {
    return new Effect.Spoilt("application/json", reply);
  }

  private static Effect befallen(Mishap mishap) {
    return new Effect.Befallen(mishap);
  }
}
