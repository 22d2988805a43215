package dev.spillway.lambda;

/**
 * An event that is not a digest request. Lambda shows the message to the caller: it quotes nothing.
 */
final class MalformedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedRequestException(String message) {
    super(message, null, false, false);
  }
}
