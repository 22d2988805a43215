package dev.spillway.auth.management;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicPathsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login",
        "/me",
        "/q/health",
        "/q/health/",
        "/q/health/ready",
        "/q/health/group/a-b_c.d",
        "/.well-known/jwks.json",
        "/.well-known/openid-configuration",
        "/login-example",
        "/login-example/",
        "/login-example/sign-in.js",
      })
  void asItIsWritten_isPublic(String path) {
    assertThat(PublicPaths.contain(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/users",
        "/LOGIN",
        "/logins",
        "/login/",
        "/login/x",
        "/login;a=b",
        "/%6cogin",
        "//login",
        "/q/healthy",
        "/q/health//ready",
        "/q/health/./ready",
        "/q/health/../metrics",
        "/q/health/..",
        "/q/health/.",
        "/q/health/..;/metrics",
        "/q/health/%2e%2e/metrics",
        "/q/health/..%2fmetrics",
        "/q/health/\\..\\metrics",
        "/q/health/\u0661",
        "/q/health/ready\n",
      })
  void otherwise_isNot(String path) {
    assertThat(PublicPaths.contain(path)).isFalse();
  }

  /** A pattern with a group for each segment overflowed the stack. */
  @Test
  void asManySegmentsAsALineHolds_areLookedAt() {
    assertThat(PublicPaths.contain("/q/health" + "/a".repeat(2_000))).isTrue();
    assertThat(PublicPaths.contain("/a".repeat(2_000) + ";")).isFalse();
  }
}
