package dev.spillway.locallambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.spillway.locallambda.InvokeRequest.Parsed;
import dev.spillway.locallambda.environment.Event;
import dev.spillway.locallambda.environment.Function;
import dev.spillway.locallambda.environment.Mishap;
import dev.spillway.locallambda.environment.Reply;
import dev.spillway.locallambda.fault.BadLine;
import dev.spillway.locallambda.fault.Effect;
import dev.spillway.locallambda.fault.Effect.Manner;
import dev.spillway.locallambda.fault.Injection;
import dev.spillway.locallambda.template.Account;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

/** Lambda's Invoke operation (API 2015-03-31). */
final class InvokeApi implements HttpHandler {
  private static final byte[] NOTHING = {};

  private final Map<String, Function> functions;
  private final Account account;
  private final CallerCheck callers;
  private final Injection injection;
  private final BadLine badLine;

  InvokeApi(
      Map<String, Function> functions, Account account, CallerCheck callers, Injection injection) {
    this.functions = functions;
    this.account = account;
    this.callers = callers;
    this.injection = injection;
    this.badLine = new BadLine(injection);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String requestId = UUID.randomUUID().toString();
      exchange.getResponseHeaders().set("x-amzn-RequestId", requestId);
      byte[] body;
      long length;
      try (InputStream in = exchange.getRequestBody()) {
        body = in.readNBytes(InvocationType.REQUEST_RESPONSE.limit() + 1);
        length = body.length + in.transferTo(OutputStream.nullOutputStream());
      }
      try {
        answer(exchange, requestId, body, length);
      } catch (RuntimeException e) {
        // Not the message alone: this is a bug or a machine that cannot fork, never a payload.
        e.printStackTrace();
        refuse(exchange, ServiceError.internal());
      }
    }
  }

  private void answer(HttpExchange exchange, String requestId, byte[] body, long length)
      throws IOException {
    Optional<ServiceError> refusal = callers.refusal(exchange, body);
    if (refusal.isPresent()) {
      refuse(exchange, refusal.get(), injection.draw());
      return;
    }
    switch (InvokeRequest.parse(exchange, body, length, functions, account)) {
      case Parsed.Refused(ServiceError error) -> refuse(exchange, error);
      case Parsed.Accepted(InvokeRequest request) -> invoke(exchange, requestId, request);
    }
  }

  private void invoke(HttpExchange exchange, String requestId, InvokeRequest request)
      throws IOException {
    String trace = traceRoot(exchange);
    Headers headers = exchange.getResponseHeaders();
    headers.set("X-Amzn-Trace-Id", trace);
    var event =
        new Event(
            requestId,
            request.payload(),
            request.invokedArn(),
            child(trace),
            request.clientContext(),
            request.logTail() ? tail -> headers.set("X-Amz-Log-Result", base64(tail)) : _ -> {});
    switch (request.type()) {
      case DRY_RUN -> send(exchange, 204, NOTHING);
      case EVENT -> {
        request.function().enqueue(event);
        send(exchange, 202, NOTHING);
      }
      case REQUEST_RESPONSE -> invoke(exchange, request.function(), event, injection.draw());
    }
  }

  private void invoke(HttpExchange exchange, Function function, Event event, Effect effect)
      throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("X-Amz-Executed-Version", function.settings().version());
    switch (effect) {
      case Effect.None(), Effect.OffClock _ -> reply(exchange, function.invoke(event));
      case Effect.Refused refused -> refuse(exchange, ServiceError.injected(refused));
      case Effect.FailedAtOnce() ->
          reply(exchange, Reply.failed("Runtime.Unknown", "an injected fault"));
      case Effect.Misled(byte[] other) -> reply(exchange, function.invoke(event.with(other)));
      case Effect.Befallen(Mishap mishap) -> reply(exchange, function.invoke(event.with(mishap)));
      case Effect.Spoilt(String type, UnaryOperator<byte[]> spoil) -> {
        Reply reply = function.invoke(event);
        headers.set("Content-Type", type);
        reply(
            exchange,
            reply instanceof Reply.Answered(byte[] payload)
                ? new Reply.Answered(spoil.apply(payload))
                : reply);
      }
      case Effect.Broken(Manner manner) when manner == Manner.SILENT -> badLine.silence(exchange);
      case Effect.Broken(Manner manner) -> {
        Reply reply = function.invoke(event);
        if (reply instanceof Reply.Answered(byte[] payload)) {
          badLine.answer(exchange, manner, payload);
        } else {
          reply(exchange, reply);
        }
      }
    }
  }

  private static void reply(HttpExchange exchange, Reply reply) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    switch (reply) {
      case Reply.Answered(byte[] payload) -> send(exchange, 200, payload);
      case Reply.Failed(byte[] error) -> {
        headers.set("X-Amz-Function-Error", "Unhandled");
        send(exchange, 200, error);
      }
      case Reply.Throttled(boolean reserved) -> refuse(exchange, ServiceError.throttled(reserved));
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** The caller's trace if it sent one, else a new one: seconds of the epoch and 96 random bits. */
  static String traceRoot(HttpExchange exchange) {
    String theirs = exchange.getRequestHeaders().getFirst("X-Amzn-Trace-Id");
    if (theirs != null && theirs.matches("Root=1-[0-9a-f]{8}-[0-9a-f]{24}(;.*)?")) {
      return theirs.split(";", 2)[0];
    }
    var random = ThreadLocalRandom.current();
    return "Root=1-%08x-%08x%016x"
        .formatted(System.currentTimeMillis() / 1000, random.nextInt(), random.nextLong());
  }

  /** What the function gets of a trace. */
  static String child(String root) {
    return "%s;Parent=%016x;Sampled=0".formatted(root, ThreadLocalRandom.current().nextLong());
  }

  static void refuse(HttpExchange exchange, ServiceError error) throws IOException {
    send(exchange, error.status(), body(exchange, error));
  }

  /** Under the Date of a clock that may be off, which is all its caller has to go by. */
  private void refuse(HttpExchange exchange, ServiceError error, Effect effect) throws IOException {
    if (effect instanceof Effect.OffClock) {
      badLine.answer(exchange, error.status(), body(exchange, error));
    } else {
      refuse(exchange, error);
    }
  }

  private static byte[] body(HttpExchange exchange, ServiceError error) {
    exchange.getResponseHeaders().set("x-amzn-ErrorType", error.code());
    exchange.getResponseHeaders().remove("X-Amz-Executed-Version");
    return JsonText.write(
        json -> {
          if (error.reason().isPresent()) {
            json.writeStringField("Reason", error.reason().get());
          }
          json.writeStringField("Type", error.type());
          json.writeStringField(error.messageKey(), error.message());
        });
  }

  static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    if (status != 204) {
      exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("application/json"));
    }
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
