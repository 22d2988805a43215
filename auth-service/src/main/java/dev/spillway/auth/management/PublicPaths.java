package dev.spillway.auth.management;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * What everybody may ask for, where admins have a port of their own. Only what stands here is
 * answered on the main one: whatever is added elsewhere is an admin's until somebody decides
 * otherwise.
 */
final class PublicPaths {
  private static final Set<String> PATHS =
      Set.of("/login", "/refresh", "/logout", "/me", "/login-example", "/q/health");

  private static final Set<String> BELOW = Set.of("/.well-known/", "/login-example/", "/q/health/");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/-]++");

  private PublicPaths() {}

  /**
   * @param path as it was sent, without its query. All of these can be written in plain characters,
   *     and whoever writes one in others, or with detours, has something in mind: matrix parameters
   *     ({@code ;}), escapes and empty or dotted segments are read in one way here, and perhaps in
   *     another by what comes after
   */
  static boolean contain(String path) {
    return isPlain(path) && (PATHS.contains(path) || BELOW.stream().anyMatch(path::startsWith));
  }

  private static boolean isPlain(String path) {
    String ended = path + "/";
    return PLAIN.matcher(path).matches()
        && !path.contains("//")
        && !ended.contains("/./")
        && !ended.contains("/../");
  }
}
