package dev.spillway.console.watch;

import dev.spillway.console.metrics.Scrape;
import java.time.Instant;

/** The result of reading a service's metrics. */
sealed interface Reading {
  Instant at();

  /** The metrics were read. */
  record Scraped(Instant at, Scrape scrape) implements Reading {}

  /**
   * The metrics could not be read.
   *
   * @param why in words that follow "there is no service at URL: "
   */
  record Silent(Instant at, String why) implements Reading {}
}
