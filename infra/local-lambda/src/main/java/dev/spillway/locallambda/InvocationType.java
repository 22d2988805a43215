package dev.spillway.locallambda;

import java.util.Arrays;
import java.util.Optional;

/** The X-Amz-Invocation-Type of an Invoke, with the largest payload each takes. */
enum InvocationType {
  REQUEST_RESPONSE("RequestResponse", 6_291_456),
  EVENT("Event", 1_048_576),
  DRY_RUN("DryRun", 6_291_456);

  private final String header;
  private final int limit;

  InvocationType(String header, int limit) {
    this.header = header;
    this.limit = limit;
  }

  /** Bytes. */
  int limit() {
    return limit;
  }

  String header() {
    return header;
  }

  static Optional<InvocationType> of(String header) {
    return Arrays.stream(values()).filter(type -> type.header.equals(header)).findFirst();
  }
}
