package dev.spillway.auth.tokens;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.spi.Converter;

/** Reads an algorithm by its registered name, in any case. */
public final class SigningAlgorithmConverter implements Converter<SigningAlgorithm> {
  private static final long serialVersionUID = 1L;

  @Override
  public SigningAlgorithm convert(String value) {
    return Arrays.stream(SigningAlgorithm.values())
        .filter(algorithm -> algorithm.joseName().equalsIgnoreCase(value))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Arrays.stream(SigningAlgorithm.values())
                        .map(SigningAlgorithm::joseName)
                        .collect(Collectors.joining(", ", "must be one of ", ""))));
  }
}
