package dev.spillway.auth.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What became of an import so far. */
final class ImportReport {
  /** Errors beyond these are counted, not listed: a report is no second copy of the input. */
  private static final int MAX_LISTED = 1_000;

  private final List<Error> errors = new ArrayList<>();
  private long imported;
  private long refused;

  void imported() {
    imported++;
  }

  void refused(long line, String reason) {
    refused++;
    if (errors.size() < MAX_LISTED) {
      errors.add(new Error(line, reason));
    }
  }

  Summary summary() {
    // Users who exist are found out about with their batch, after the lines behind them.
    return new Summary(
        imported, refused, errors.stream().sorted(Comparator.comparingLong(Error::line)).toList());
  }

  /**
   * @param line counted from 1
   * @param reason never repeats what the line said
   */
  record Error(long line, String reason) {}

  /** The body of the answer; at most 1,000 errors are listed. */
  record Summary(long imported, long refused, List<Error> errors) {}
}
