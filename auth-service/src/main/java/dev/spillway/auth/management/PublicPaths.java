package dev.spillway.auth.management;

import java.util.Set;

/**
 * What everybody may ask for, where admins have a port of their own. Only what stands here is
 * answered on the main one: whatever is added elsewhere is an admin's until somebody decides
 * otherwise.
 */
final class PublicPaths {
  private static final Set<String> PATHS =
      Set.of("/login", "/refresh", "/logout", "/me", "/login-example", "/q/health");

  private static final Set<String> BELOW = Set.of("/.well-known/", "/login-example/", "/q/health/");

  private PublicPaths() {}

  /**
   * @param path normalized: decoded where that changes nothing, without dot segments (RFC 3986,
   *     section 6.2.2)
   */
  static boolean contain(String path) {
    return PATHS.contains(path) || BELOW.stream().anyMatch(path::startsWith);
  }
}
