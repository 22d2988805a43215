package dev.spillway.locallambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.spillway.locallambda.InvokeRequest.Parsed;
import dev.spillway.locallambda.environment.Event;
import dev.spillway.locallambda.environment.Function;
import dev.spillway.locallambda.environment.Reply;
import dev.spillway.locallambda.template.Account;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Lambda's Invoke operation (API 2015-03-31). */
final class InvokeApi implements HttpHandler {
  private static final byte[] NOTHING = {};

  private final Map<String, Function> functions;
  private final Account account;
  private final CallerCheck callers;

  InvokeApi(Map<String, Function> functions, Account account, CallerCheck callers) {
    this.functions = functions;
    this.account = account;
    this.callers = callers;
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
      refuse(exchange, refusal.get());
      return;
    }
    switch (InvokeRequest.parse(exchange, body, length, functions, account)) {
      case Parsed.Refused(ServiceError error) -> refuse(exchange, error);
      case Parsed.Accepted(InvokeRequest request) -> invoke(exchange, requestId, request);
    }
  }

  private static void invoke(HttpExchange exchange, String requestId, InvokeRequest request)
      throws IOException {
    String trace = traceRoot(exchange);
    Headers headers = exchange.getResponseHeaders();
    headers.set("X-Amzn-Trace-Id", trace);
    var event =
        new Event(
            requestId,
            request.payload(),
            request.invokedArn(),
            "%s;Parent=%016x;Sampled=0".formatted(trace, ThreadLocalRandom.current().nextLong()),
            request.clientContext(),
            request.logTail() ? tail -> headers.set("X-Amz-Log-Result", base64(tail)) : _ -> {});
    switch (request.type()) {
      case DRY_RUN -> send(exchange, 204, NOTHING);
      case EVENT -> {
        request.function().enqueue(event);
        send(exchange, 202, NOTHING);
      }
      case REQUEST_RESPONSE -> {
        Reply reply = request.function().invoke(event);
        headers.set("X-Amz-Executed-Version", request.function().settings().version());
        switch (reply) {
          case Reply.Answered(byte[] payload) -> send(exchange, 200, payload);
          case Reply.Failed(byte[] error) -> {
            headers.set("X-Amz-Function-Error", "Unhandled");
            send(exchange, 200, error);
          }
          case Reply.Throttled(boolean reserved) -> {
            headers.remove("X-Amz-Executed-Version");
            refuse(exchange, ServiceError.throttled(reserved));
          }
        }
      }
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  /** The caller's trace if it sent one, else a new one: seconds of the epoch and 96 random bits. */
  private static String traceRoot(HttpExchange exchange) {
    String theirs = exchange.getRequestHeaders().getFirst("X-Amzn-Trace-Id");
    if (theirs != null && theirs.matches("Root=1-[0-9a-f]{8}-[0-9a-f]{24}(;.*)?")) {
      return theirs.split(";", 2)[0];
    }
    var random = ThreadLocalRandom.current();
    return "Root=1-%08x-%08x%016x"
        .formatted(System.currentTimeMillis() / 1000, random.nextInt(), random.nextLong());
  }

  static void refuse(HttpExchange exchange, ServiceError error) throws IOException {
    exchange.getResponseHeaders().set("x-amzn-ErrorType", error.code());
    byte[] body =
        JsonText.write(
            json -> {
              if (error.reason().isPresent()) {
                json.writeStringField("Reason", error.reason().get());
              }
              json.writeStringField("Type", error.type());
              json.writeStringField(error.messageKey(), error.message());
            });
    send(exchange, error.status(), body);
  }

  static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    if (status != 204) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
    }
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
