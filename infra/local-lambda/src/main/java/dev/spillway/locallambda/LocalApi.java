package dev.spillway.locallambda;

import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.spillway.locallambda.environment.Function;
import dev.spillway.locallambda.environment.FunctionReport;
import java.io.IOException;
import java.util.Map;

/**
 * What AWS does not have: {@code GET /_local/health} and {@code GET /_local/functions/{name}}, for
 * tests and tools.
 */
final class LocalApi implements HttpHandler {
  private static final String FUNCTION = "/_local/functions/";

  private final Map<String, Function> functions;

  LocalApi(Map<String, Function> functions) {
    this.functions = functions;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      Function function =
          path.startsWith(FUNCTION) ? functions.get(path.substring(FUNCTION.length())) : null;
      if (!exchange.getRequestMethod().equals("GET")) {
        InvokeApi.refuse(exchange, ServiceError.unknownOperation());
      } else if (path.equals("/_local/health")) {
        InvokeApi.send(exchange, 200, health());
      } else if (function != null) {
        FunctionReport report = function.report();
        InvokeApi.send(exchange, 200, JsonText.write(json -> write(report, json)));
      } else {
        InvokeApi.refuse(exchange, ServiceError.functionNotFound(path));
      }
    }
  }

  private byte[] health() {
    return JsonText.write(
        json -> {
          json.writeStringField("status", "UP");
          json.writeArrayFieldStart("functions");
          for (String name : functions.keySet()) {
            json.writeString(name);
          }
          json.writeEndArray();
        });
  }

  private static void write(FunctionReport report, JsonGenerator json) throws IOException {
    json.writeStringField("name", report.name());
    json.writeNumberField("concurrency", report.concurrency());
    json.writeNumberField("started", report.started());
    json.writeNumberField("live", report.live());
    json.writeNumberField("initialising", report.initialising());
    json.writeNumberField("busy", report.busy());
    json.writeNumberField("frozen", report.frozen());
    json.writeNumberField("coldStarts", report.coldStarts());
    json.writeNumberField("invocations", report.invocations());
    json.writeNumberField("throttles", report.throttles());
    json.writeNumberField("functionErrors", report.functionErrors());
    json.writeNumberField("timeouts", report.timeouts());
    json.writeNumberField("crashes", report.crashes());
    json.writeArrayFieldStart("pids");
    for (long pid : report.pids()) {
      json.writeNumber(pid);
    }
    json.writeEndArray();
  }
}
