package dev.spillway.console.watch;

import dev.spillway.console.metrics.Scrape;
import java.time.Instant;

/** What came of asking a service for its metrics. */
sealed interface Reading {
  Instant at();

  /** They are here. */
  record Scraped(Instant at, Scrape scrape) implements Reading {}

  /**
   * They are not.
   *
   * @param why in words that follow "there is no service at URL: "
   */
  record Silent(Instant at, String why) implements Reading {}
}
