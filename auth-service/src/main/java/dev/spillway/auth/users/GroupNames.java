package dev.spillway.auth.users;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rule for the names of groups. They travel in every token, so they are short and few. */
public final class GroupNames {
  /** The group whose members administer this service. */
  public static final String ADMIN = "admin";

  /** Most groups of one user. With {@link #MAX_LENGTH}, a token still fits a header of 8 KiB. */
  public static final int MAX_COUNT = 32;

  /** Longest name, in characters. */
  public static final int MAX_LENGTH = 64;

  /** The rule in words, for those who broke it. */
  public static final String RULE =
      "must be at most "
          + MAX_COUNT
          + " names of 1 to "
          + MAX_LENGTH
          + " visible ASCII characters without blanks";

  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1," + MAX_LENGTH + "}");

  private GroupNames() {}

  /** The names as a set, or empty if the rule is broken; null counts as no groups at all. */
  public static Optional<Set<String>> parse(Collection<String> names) {
    if (names == null) {
      return Optional.of(Set.of());
    }
    Set<String> set = new LinkedHashSet<>(names);
    boolean fine =
        set.size() <= MAX_COUNT
            && set.stream().allMatch(name -> name != null && NAME.matcher(name).matches());
    return fine ? Optional.of(Set.copyOf(set)) : Optional.empty();
  }

  /** The form in which one column holds them: sorted, a blank between any two. */
  static String join(Set<String> names) {
    return String.join(" ", names.stream().sorted().toList());
  }

  /** Also what another hand has written. */
  static Set<String> split(String joined) {
    return Arrays.stream(joined.split(" "))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }
}
