package dev.spillway.locallambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.spillway.locallambda.environment.Event;
import dev.spillway.locallambda.environment.Function;
import dev.spillway.locallambda.environment.Reply;
import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.UrlAuth;
import dev.spillway.locallambda.url.UrlEvent;
import dev.spillway.locallambda.url.UrlReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** One function's URL: any path, any method, buffered. */
final class FunctionUrl implements HttpHandler {
  private static final int LIMIT = InvocationType.REQUEST_RESPONSE.limit();

  /** The connection's own: a function cannot set them, on AWS they get other names. */
  private static final Set<String> NOT_THEIRS =
      Set.of("connection", "content-length", "date", "transfer-encoding");

  private final Function function;
  private final UrlAuth auth;
  private final Account account;
  private final CallerCheck callers;

  /**
   * @param callers what is minded about a signed request to a URL that wants one
   */
  FunctionUrl(Function function, UrlAuth auth, Account account, CallerCheck callers) {
    this.function = function;
    this.auth = auth;
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
        body = in.readNBytes(LIMIT + 1);
        length = body.length + in.transferTo(OutputStream.nullOutputStream());
      }
      Optional<ServiceError> refusal = refusal(exchange, body, length);
      if (refusal.isPresent()) {
        InvokeApi.refuse(exchange, refusal.get());
      } else {
        try {
          invoke(exchange, requestId, body);
        } catch (RuntimeException e) {
          // A header that cannot be sent, a process that cannot be started.
          e.printStackTrace();
          exchange.getResponseHeaders().clear();
          exchange.getResponseHeaders().set("x-amzn-RequestId", requestId);
          answer(exchange, Optional.empty());
        }
      }
    }
  }

  private Optional<ServiceError> refusal(HttpExchange exchange, byte[] body, long length) {
    Optional<ServiceError> refusal = Optional.empty();
    if (auth == UrlAuth.AWS_IAM) {
      refusal =
          exchange.getRequestHeaders().containsKey("Authorization")
              ? callers.refusal(exchange, body)
              : Optional.of(ServiceError.forbidden());
    }
    return refusal.or(
        () ->
            length > LIMIT
                ? Optional.of(
                    ServiceError.tooLarge(length, InvocationType.REQUEST_RESPONSE.header(), LIMIT))
                : Optional.empty());
  }

  private void invoke(HttpExchange exchange, String requestId, byte[] body) throws IOException {
    String trace = InvokeApi.traceRoot(exchange);
    exchange.getResponseHeaders().set("X-Amzn-Trace-Id", trace);
    UrlEvent url =
        new UrlEvent(id(), account.region(), account.id(), requestId, accessKey(exchange));
    Event event =
        new Event(
            requestId,
            url.of(exchange, body),
            account.functionArn(function.settings().name())
                + function.settings().alias().map(alias -> ":" + alias).orElse(""),
            InvokeApi.child(trace),
            Optional.empty(),
            _ -> {});
    switch (function.invoke(event)) {
      case Reply.Answered(byte[] answer) -> answer(exchange, UrlReply.of(answer));
      case Reply.Failed _ -> answer(exchange, Optional.empty());
      case Reply.Throttled(boolean reserved) ->
          InvokeApi.refuse(exchange, ServiceError.throttled(reserved));
    }
  }

  /** Empty for whatever went wrong behind the URL: its caller is told no more. */
  private static void answer(HttpExchange exchange, Optional<UrlReply> reply) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    if (reply.isEmpty()) {
      headers.set("Content-Type", "text/plain");
      InvokeApi.send(exchange, 502, "Internal Server Error".getBytes(UTF_8));
      return;
    }
    UrlReply it = reply.get();
    it.headers()
        .forEach(
            (name, value) -> {
              boolean theirs = !NOT_THEIRS.contains(name.toLowerCase(Locale.ROOT));
              headers.set(theirs ? name : "x-amzn-remapped-" + name, value);
            });
    it.cookies().forEach(cookie -> headers.add("Set-Cookie", cookie));
    boolean bodiless = it.status() == 204 || it.status() == 304;
    InvokeApi.send(exchange, it.status(), bodiless ? new byte[0] : it.body());
  }

  private Optional<String> accessKey(HttpExchange exchange) {
    return auth == UrlAuth.NONE
        ? Optional.empty()
        : Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
            .flatMap(Signature::of)
            .map(Signature::accessKey);
  }

  /** As long as AWS's; the same after every start. */
  private String id() {
    byte[] arn = account.functionArn(function.settings().name()).getBytes(UTF_8);
    return UUID.nameUUIDFromBytes(arn).toString().replace("-", "");
  }
}
