package dev.spillway.auth.http;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S4. */
class LoopbackOnlyTest {
  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "example.org", "127.0.0.1.example.org"})
  void s4_localProfile_doesNotListenOnNetworks(String host) {
    assertThatThrownBy(() -> LoopbackOnly.check(List.of("local"), host))
        .hasMessageContaining("quarkus.http.host is " + host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "::1"})
  void s4_localProfile_listensOnLoopback(String host) {
    assertThatCode(() -> LoopbackOnly.check(List.of("local"), host)).doesNotThrowAnyException();
  }

  @Test
  void s4_otherProfiles_listenAnywhere() {
    assertThatCode(() -> LoopbackOnly.check(List.of("prod"), "0.0.0.0")).doesNotThrowAnyException();
  }
}
