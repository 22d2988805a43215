package dev.spillway.locallambda.template;

/** The account and region that the stand-in plays. No real account has twelve zeros. */
public record Account(String region, String id) {
  /** An account in {@code region}. */
  public static Account in(String region) {
    return new Account(region, "000000000000");
  }

  /** The unqualified ARN of a function. */
  public String functionArn(String name) {
    return "arn:aws:lambda:" + region + ":" + id + ":function:" + name;
  }
}
