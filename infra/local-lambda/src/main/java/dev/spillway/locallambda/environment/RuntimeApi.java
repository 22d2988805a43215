package dev.spillway.locallambda.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Lambda Runtime API (2018-06-01) of one environment, on a port of its own: {@code
 * AWS_LAMBDA_RUNTIME_API} carries host and port and nothing else, so the port is what tells
 * environments apart.
 */
final class RuntimeApi implements AutoCloseable {
  /** 6 MB and 100 bytes, in Lambda's own error text. */
  static final int RESPONSE_LIMIT = 6_291_556;

  private static final String PREFIX = "/2018-06-01/runtime/";
  private static final Pattern INVOCATION = Pattern.compile("invocation/([^/]+)/(response|error)");
  private static final byte[] ACCEPTED = "{\"status\":\"OK\"}\n".getBytes(UTF_8);

  private final HttpServer server;
  private final Runtime runtime;

  /** What the runtime's calls mean; the environment answers. */
  interface Runtime {
    /** Blocks until there is an event, without limit; empty once the environment is closed. */
    Optional<Invocation> next();

    /** False where {@code id} is not the event in flight. */
    boolean answered(String id, Reply reply);

    void initFailed(Reply.Failed reply);
  }

  RuntimeApi(Runtime runtime) throws IOException {
    this.runtime = runtime;
    this.server = Loopback.bind(0);
    server.createContext(PREFIX, this::handle);
  }

  /**
   * Begins to answer. Connections are accepted from the start, by the kernel: a runtime that is
   * faster than the thread which forked it waits here and is not refused.
   */
  void open() {
    server.start();
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring(PREFIX.length());
      String call = exchange.getRequestMethod() + " " + path;
      Matcher invocation = INVOCATION.matcher(path);
      if (call.equals("GET invocation/next")) {
        next(exchange);
      } else if (call.equals("POST init/error")) {
        runtime.initFailed(new Reply.Failed(body(exchange)));
        send(exchange, 202, ACCEPTED);
      } else if (exchange.getRequestMethod().equals("POST") && invocation.matches()) {
        finish(exchange, invocation.group(1), invocation.group(2).equals("error"));
      } else {
        send(exchange, 404, ErrorBody.of("InvalidAPI", "no such call: " + call));
      }
    }
  }

  private void next(HttpExchange exchange) throws IOException {
    Optional<Invocation> next = runtime.next();
    if (next.isEmpty()) {
      return;
    }
    Invocation invocation = next.get();
    Headers headers = exchange.getResponseHeaders();
    headers.set("Lambda-Runtime-Aws-Request-Id", invocation.id());
    headers.set("Lambda-Runtime-Deadline-Ms", Long.toString(invocation.deadline().toEpochMilli()));
    headers.set("Lambda-Runtime-Invoked-Function-Arn", invocation.event().functionArn());
    headers.set("Lambda-Runtime-Trace-Id", invocation.event().traceId());
    invocation
        .event()
        .clientContext()
        .ifPresent(context -> headers.set("Lambda-Runtime-Client-Context", context));
    send(exchange, 200, invocation.event().payload());
  }

  private void finish(HttpExchange exchange, String id, boolean error) throws IOException {
    byte[] body = body(exchange);
    boolean tooLarge = body.length > RESPONSE_LIMIT;
    Reply reply = tooLarge ? tooLarge() : error ? new Reply.Failed(body) : new Reply.Answered(body);
    if (!runtime.answered(id, reply)) {
      send(exchange, 400, ErrorBody.of("InvalidRequestID", "Invalid request ID"));
    } else if (tooLarge) {
      send(
          exchange,
          413,
          ErrorBody.of("RequestEntityTooLarge", "Exceeded maximum allowed payload size"));
    } else {
      send(exchange, 202, ACCEPTED);
    }
  }

  private static Reply.Failed tooLarge() {
    return Reply.failed(
        "Function.ResponseSizeTooLarge",
        "Response payload size exceeded maximum allowed payload size ("
            + RESPONSE_LIMIT
            + " bytes).");
  }

  /** At most one byte more than the limit; the rest is read and dropped. */
  private static byte[] body(HttpExchange exchange) throws IOException {
    try (InputStream in = exchange.getRequestBody()) {
      byte[] kept = in.readNBytes(RESPONSE_LIMIT + 1);
      in.transferTo(OutputStream.nullOutputStream());
      return kept;
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    // AWS's C++ client passes the content type on unchecked: without one it dies of SIGSEGV.
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
