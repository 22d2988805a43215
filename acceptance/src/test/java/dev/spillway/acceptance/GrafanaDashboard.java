package dev.spillway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * infra/grafana/spillway.json: what it asks Prometheus.
 *
 * @param expressions as Grafana would send them, for all instances
 */
record GrafanaDashboard(List<String> expressions) {
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:spillway|http|process|system|jvm)_[a-z_]+");

  static GrafanaDashboard read() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(Running.HOME.resolve("infra/grafana/spillway.json").toFile());
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        expressions.add(
            target
                .get("expr")
                .asText()
                .replace("$__rate_interval", "1m")
                .replace("$instance", ".*"));
      }
    }
    return new GrafanaDashboard(expressions);
  }

  Set<String> metrics() {
    Set<String> names = new TreeSet<>();
    for (String expression : expressions) {
      Matcher metric = METRIC.matcher(expression);
      while (metric.find()) {
        names.add(metric.group());
      }
    }
    return names;
  }
}
