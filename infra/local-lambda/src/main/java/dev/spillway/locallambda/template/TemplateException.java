package dev.spillway.locallambda.template;

import java.io.Serial;

/** The template, or what was asked of it, cannot be served. The message is for the user. */
public final class TemplateException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  public TemplateException(String message) {
    super(message);
  }
}
