package dev.spillway.locallambda.template;

/** A Function URL's AuthType. */
public enum UrlAuth {
  /** Everybody may call. */
  NONE,
  /** Only signed requests. */
  AWS_IAM
}
