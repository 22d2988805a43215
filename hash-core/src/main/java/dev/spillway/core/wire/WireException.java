package dev.spillway.core.wire;

/** Bytes that break the wire contract. The message never repeats any of them. */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  WireException(String message) {
    super(message);
  }
}
