package dev.spillway.console.watch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A state as JSON: names have units, unknown values are null. Fields are only added. */
record JsonState(URI service) {
  private static final double DIGITS = 1e3;

  ObjectNode of(ServiceState state) {
    ObjectNode json = object();
    json.put("at", state.at().toString());
    json.put("service", service.toString());
    json.put("answers", true);
    json.put("upSeconds", state.up().toSeconds());
    json.set("pool", pool(state.pool()));
    json.set("logins", rates(state.logins()));
    json.set("hashes", rates(state.hashes()));
    json.set("latency", latency(state.latency()));
    json.put("windowSeconds", rounded(state.window().toNanos() / 1e9));
    ObjectNode spill = json.putObject("spill");
    spill.put("pending", state.spill().pending());
    spill.put("pendingAverage", rounded(state.spill().average()));
    spill.put("pendingVariance", rounded(state.spill().variance()));
    spill.put("waiting", state.spill().waiting());
    ObjectNode targets = spill.putObject("targets");
    state.spill().targets().forEach(target -> targets.set(target.name(), target(target)));
    return json;
  }

  ObjectNode of(Reading.Silent silent) {
    return object()
        .put("at", silent.at().toString())
        .put("service", service.toString())
        .put("answers", false)
        .put("why", silent.why());
  }

  private static ObjectNode pool(ServiceState.Pool pool) {
    return object()
        .put("permitsUsed", pool.used())
        .put("size", pool.size())
        .put("threads", pool.threads())
        .put("waiting", pool.waiting())
        .put("waitEstimateMillis", millis(pool.waitEstimate()))
        .put("hashMillis", millis(pool.hash()))
        .put("cost", pool.cost());
  }

  private static ObjectNode target(Target target) {
    ObjectNode json =
        object()
            .put("pending", target.pending())
            .put("bound", target.bound())
            .put("condition", target.condition().label());
    json.set("calls", rates(target.calls()));
    json.set("latency", latency(target.latency()));
    return json;
  }

  private static ObjectNode rates(Map<String, Rate> rates) {
    ObjectNode json = object();
    rates.forEach(
        (what, rate) ->
            json.putObject(what)
                .put("perSecond", rounded(rate.perSecond()))
                .put("total", rate.total()));
    return json;
  }

  private static ObjectNode latency(Latency latency) {
    return object()
        .put("count", latency.count())
        .put("p50Millis", millis(latency.p50()))
        .put("p90Millis", millis(latency.p90()))
        .put("p99Millis", millis(latency.p99()));
  }

  private static Double millis(Optional<Duration> duration) {
    return duration.map(JsonState::millis).orElse(null);
  }

  private static double millis(Duration duration) {
    return rounded(duration.toNanos() / 1e6);
  }

  private static double rounded(double number) {
    return Math.round(number * DIGITS) / DIGITS;
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
