package dev.spillway.auth.hashing.spill;

import static io.restassured.RestAssured.given;

import java.util.Arrays;

/** What {@code /q/metrics} shows an operator. */
final class Metrics {
  private Metrics() {}

  static String text() {
    return given().get("/q/metrics").asString();
  }

  /** Sum over all series of that name whose labels contain {@code labels}. */
  static double sum(String name, String... labels) {
    return sumIn(text(), name, labels);
  }

  static double sumIn(String text, String name, String... labels) {
    return text.lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> Arrays.stream(labels).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Calls of functions that ended so. */
  static double calls(String outcome) {
    return sum("spillway_spill_call_seconds_count", "outcome=\"" + outcome + "\"");
  }
}
