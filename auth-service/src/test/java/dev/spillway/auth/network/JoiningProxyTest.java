package dev.spillway.auth.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.auth.ConfigText;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/**
 * N1: whatever text a client sends, a proxy that appends its own hop to it decides where the
 * request comes from: what counts for {@code T, real} is what counts for {@code real}.
 */
class JoiningProxyTest {
  private static final String PROXY = "127.0.0.2";
  private static final String PROXIES = "127.0.0.0/8,10.0.0.0/8";

  /** Characters that mean something in one of the headers, and some to make addresses with. */
  private static final char[] SPECIAL = ",;=\"\\%:[]. \t_1f".toCharArray();

  private static final int SHORT = 4;

  /** What a proxy may append, none of it a trusted proxy, and what each counts for. */
  private static final Map<NetworkConfig.Header, Map<String, String>> REAL =
      Map.of(
          NetworkConfig.Header.X_FORWARDED_FOR,
          Map.of(
              "203.0.113.9", "203.0.113.9/32",
              "203.0.113.9:4711", "203.0.113.9/32",
              "2001:db8:1:2::7", "2001:db8:1:2::/64",
              "[2001:db8:1:2::7]:4711", "2001:db8:1:2::/64",
              "unknown", PROXY + "/32",
              "\"", PROXY + "/32"),
          NetworkConfig.Header.FORWARDED,
          Map.of(
              "for=203.0.113.9", "203.0.113.9/32",
              "for=\"203.0.113.9:_port\";proto=https", "203.0.113.9/32",
              "proto=https;for=\"[2001:db8:1:2::7]:4711\"", "2001:db8:1:2::/64",
              "for=203.0.113.9;host=\"a;for=1.1.1.1\"", "203.0.113.9/32",
              "for=_hidden", PROXY + "/32",
              "for=\"203.0.113.9", PROXY + "/32",
              "for=203.0.113.9;host=\"", PROXY + "/32"));

  private final Map<NetworkConfig.Header, ClientNetworks> networks =
      Map.of(
          NetworkConfig.Header.X_FORWARDED_FOR, networks("x-forwarded-for"),
          NetworkConfig.Header.FORWARDED, networks("forwarded"));

  @Property(tries = 100_000, shrinking = ShrinkingMode.FULL)
  void n1_anyText_doesNotDecideWhoTheClientIs(@ForAll("texts") String text) {
    hold(text);
  }

  @Example
  void n1_allShortTexts_doNotDecideWhoTheClientIs() {
    shortTexts("");
  }

  /** As it was seen. */
  @Example
  void n1_zonesAndQuotes_doNotDecideWhoTheClientIs() {
    hold("::ffff:198.51.100.44%\"");
    hold("\"");
    hold("for=198.51.100.44;x=\"");
    hold("for=\"198.51.100.44");
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "198.51.100.44",
            "::ffff:198.51.100.44%",
            "10.0.0.1",
            "for=198.51.100.44",
            "for=\"[2001:db8::1]:5\"",
            ";host=\"a",
            "\\\"");
    Arbitrary<String> special =
        Arbitraries.strings().withChars(SPECIAL).ofMinLength(1).ofMaxLength(3);
    Arbitrary<String> any = Arbitraries.strings().ofMaxLength(4);
    return Arbitraries.frequencyOf(Tuple.of(3, pieces), Tuple.of(4, special), Tuple.of(1, any))
        .list()
        .ofMaxSize(6)
        .map(parts -> String.join("", parts));
  }

  private void shortTexts(String prefix) {
    hold(prefix);
    if (prefix.length() < SHORT) {
      for (char next : SPECIAL) {
        shortTexts(prefix + next);
      }
    }
  }

  /** However the proxy appends: in the same line, or in one of its own. */
  private void hold(String text) {
    REAL.forEach(
        (header, hops) ->
            hops.forEach(
                (real, network) -> {
                  if (!counted(header, List.of(text + ", " + real)).equals(network)
                      || !counted(header, List.of(text, real)).equals(network)) {
                    assertThat(counted(header, List.of(text + ", " + real)))
                        .as("%s: %s, %s", header, text, real)
                        .isEqualTo(network);
                    assertThat(counted(header, List.of(text, real)))
                        .as("%s: %s in a line before %s", header, text, real)
                        .isEqualTo(network);
                  }
                }));
  }

  private String counted(NetworkConfig.Header header, List<String> lines) {
    return networks.get(header).of(PROXY, lines).text();
  }

  private static ClientNetworks networks(String header) {
    return new ClientNetworks(
        ConfigText.read(
            NetworkConfig.class,
            "spillway.network.trusted-proxies",
            PROXIES,
            "spillway.network.forwarded-header",
            header),
        new SimpleMeterRegistry());
  }
}
