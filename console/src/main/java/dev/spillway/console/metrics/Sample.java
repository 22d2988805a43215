package dev.spillway.console.metrics;

import java.util.Map;

/**
 * One line of a scrape.
 *
 * @param name with its suffix: {@code _total}, {@code _bucket}
 */
record Sample(String name, Map<String, String> labels, double value) {
  boolean has(Map<String, String> wanted) {
    return labels.entrySet().containsAll(wanted.entrySet());
  }
}
