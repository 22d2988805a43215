package dev.spillway.benchmarks.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/** An earlier report of the spike lab. */
final class SpikeHistory {
  private final JsonNode report;

  private SpikeHistory(JsonNode report) {
    this.report = report;
  }

  /**
   * @throws IllegalArgumentException if the file is no report
   */
  static Optional<SpikeHistory> read(Optional<Path> file) {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode report = new ObjectMapper().readTree(file.get().toFile());
      if (!report.path("results").isArray() || !report.path("cost").isInt()) {
        throw new IllegalArgumentException(file.get() + " is no report of the spike lab");
      }
      return Optional.of(new SpikeHistory(report));
    } catch (IOException e) {
      throw new IllegalArgumentException(file.get() + " cannot be read: " + e.getMessage(), e);
    }
  }

  String commit() {
    return report.path("commit").asText();
  }

  int cost() {
    return report.path("cost").asInt();
  }

  OptionalDouble figure(SpikeContender contender, String name) {
    JsonNode figure = result(contender).path("figures").path(name);
    return figure.isNumber() ? OptionalDouble.of(figure.asDouble()) : OptionalDouble.empty();
  }

  /** Empty where there was no search, and in reports of before it was told. */
  Optional<SearchEnd> search(SpikeContender contender) {
    return SearchEnd.of(result(contender).path("search").asText());
  }

  /** Missing if that contender was not among them. */
  private JsonNode result(SpikeContender contender) {
    for (JsonNode result : report.path("results")) {
      if (result.path("label").asText().equals(contender.label())) {
        return result;
      }
    }
    return MissingNode.getInstance();
  }
}
