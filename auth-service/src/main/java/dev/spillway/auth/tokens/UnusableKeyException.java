package dev.spillway.auth.tokens;

/** A key that tokens cannot be signed with; the message says why and shows no part of it. */
final class UnusableKeyException extends Exception {
  UnusableKeyException(String message) {
    super(message);
  }
}
