package dev.spillway.benchmarks.overload;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** When logins come. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Pace.Open.class, name = "open"),
  @JsonSubTypes.Type(value = Pace.Closed.class, name = "closed"),
  @JsonSubTypes.Type(value = Pace.AtOnce.class, name = "atOnce")
})
public sealed interface Pace {
  /** At random moments, whether or not others have been answered: a Poisson process. */
  record Open(double perSecond) implements Pace {
    public Open {
      if (!(perSecond > 0)) {
        throw new IllegalArgumentException("a rate above 0 is needed, not " + perSecond);
      }
    }
  }

  /** From so many clients, each of which waits for its answer before it asks again. */
  record Closed(int clients) implements Pace {}

  /** All in the first moment. */
  record AtOnce(int logins) implements Pace {}
}
