package dev.spillway.console.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Metrics of a real auth-service, recorded; see src/test/resources/metrics/README.md. */
public final class Recorded {
  private Recorded() {}

  public static Scrape scrape(String name) {
    return Scrape.parse(text(name));
  }

  static String text(String name) {
    try (InputStream file = Recorded.class.getResourceAsStream("/metrics/" + name + ".txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
