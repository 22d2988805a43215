package dev.spillway.locallambda;

import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.spillway.locallambda.environment.Function;
import dev.spillway.locallambda.environment.FunctionReport;
import dev.spillway.locallambda.fault.Fault;
import dev.spillway.locallambda.fault.Injection;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * What AWS does not have, for tests and tools: {@code GET /_local/health}, {@code GET
 * /_local/functions/{name}}, and {@code /_local/fault} to look at, {@code PUT
 * /_local/fault/{label}} and {@code DELETE}.
 */
final class LocalApi implements HttpHandler {
  private static final String FUNCTION = "/_local/functions/";

  private static final String FAULT = "/_local/fault";

  private final Map<String, Function> functions;
  private final Injection injection;

  LocalApi(Map<String, Function> functions, Injection injection) {
    this.functions = functions;
    this.injection = injection;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      Function function =
          path.startsWith(FUNCTION) ? functions.get(path.substring(FUNCTION.length())) : null;
      if (path.equals(FAULT) || path.startsWith(FAULT + "/")) {
        fault(exchange, exchange.getRequestMethod() + " " + path);
      } else if (!exchange.getRequestMethod().equals("GET")) {
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

  private void fault(HttpExchange exchange, String call) throws IOException {
    String put = "PUT " + FAULT + "/";
    if (call.startsWith(put)) {
      Optional<Fault> fault = Fault.labelled(call.substring(put.length()));
      if (fault.isEmpty()) {
        InvokeApi.refuse(
            exchange, ServiceError.invalidParameter("no such fault; GET " + FAULT + " lists them"));
        return;
      }
      injection.set(fault);
    } else if (call.equals("DELETE " + FAULT)) {
      injection.set(Optional.empty());
    } else if (!call.equals("GET " + FAULT)) {
      InvokeApi.refuse(exchange, ServiceError.unknownOperation());
      return;
    }
    InvokeApi.send(exchange, 200, JsonText.write(this::writeFaults));
  }

  private void writeFaults(JsonGenerator json) throws IOException {
    json.writeStringField("present", injection.present().map(Fault::label).orElse(null));
    json.writeObjectFieldStart("known");
    for (Fault fault : Fault.values()) {
      json.writeStringField(fault.label(), fault.description());
    }
    json.writeEndObject();
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

  private void write(FunctionReport report, JsonGenerator json) throws IOException {
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
