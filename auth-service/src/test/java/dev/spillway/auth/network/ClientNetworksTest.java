package dev.spillway.auth.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.auth.ConfigText;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientNetworksTest {
  private static final String PROXIES = "10.0.0.0/8,192.168.1.1,2001:db8:ffff::/48";
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void withoutProxies_thePeerIsTheClient() {
    ClientNetworks networks = networks();
    assertThat(networks.of("203.0.113.9", List.of()).text()).isEqualTo("203.0.113.9/32");
    assertThat(networks.of("203.0.113.9", List.of("198.51.100.1")).text())
        .as("whatever it says")
        .isEqualTo("203.0.113.9/32");
    assertThat(meters.get("spillway.network.forwarded.ignored").counter().count()).isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.1 | 203.0.113.9 | 203.0.113.9/32",
        "10.0.0.1 | 1.1.1.1, 203.0.113.9 | 203.0.113.9/32",
        "10.0.0.1 | 1.1.1.1, 203.0.113.9, 10.2.3.4, 192.168.1.1 | 203.0.113.9/32",
        "10.0.0.1 | 203.0.113.9:51234 | 203.0.113.9/32",
        "10.0.0.1 | [2001:db8:1:2:3:4:5:6]:443 | 2001:db8:1:2::/64",
        "10.0.0.1 | 2001:DB8:1:2::9 | 2001:db8:1:2::/64",
        "10.0.0.1 | ::ffff:203.0.113.9 | 203.0.113.9/32",
        "::ffff:10.0.0.1 | 203.0.113.9 | 203.0.113.9/32",
        "2001:db8:ffff::1 | 203.0.113.9 | 203.0.113.9/32",
        "192.168.1.1 | 10.9.9.9 | 10.9.9.9/32",
        "192.168.1.2 | 203.0.113.9 | 192.168.1.2/32",
        "203.0.113.1 | 198.51.100.1 | 203.0.113.1/32",
        // What no proxy of ours wrote is where belief ends.
        "10.0.0.1 | 203.0.113.9, unknown | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, evil.test, 10.2.2.2 | 10.2.2.2/32",
        "10.0.0.1 | 203.0.113.9, 203.0.113.0/24 | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, 16843009 | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, 0x7f.1 | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, 203.0.113.* | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, '' | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, ::ffff:198.51.100.44% | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, fe80::1%eth0 | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9, 198.51.100.044 | 10.0.0.1/32",
        "10.0.0.1 | 203.0.113.9:_hidden | 203.0.113.9/32",
      })
  void behindProxies_theLastHopThatIsNoneOfOursIsTheClient(
      String peer, String header, String network) {
    ClientNetworks networks = networks("spillway.network.trusted-proxies", PROXIES);
    String value = header.replace("''", "");
    assertThat(networks.of(peer, List.of(value)).text()).isEqualTo(network);
    assertThat(networks.of(peer, Arrays.asList(value.split(",", -1))).text())
        .as("in lines of their own")
        .isEqualTo(network);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "for=203.0.113.9 | 203.0.113.9/32",
        "for=1.1.1.1, For=\"203.0.113.9:4711\";proto=https | 203.0.113.9/32",
        "proto=https;for=\"[2001:db8:1:2::7]:4711\";by=10.0.0.1 | 2001:db8:1:2::/64",
        "for=\"a,b;for=1.1.1.1\" | 10.0.0.1/32",
        "for=203.0.113.9, for=_hidden | 10.0.0.1/32",
        "for=203.0.113.9, proto=https | 10.0.0.1/32",
        "for=\"203.0.113.9:_port\" | 203.0.113.9/32",
        "for=203.0.113.9:4711;; | 203.0.113.9/32",
        "for=203.0.113.9;host=\"a,for=1.1.1.1;b\" | 10.0.0.1/32",
        "for=203.0.113.9;host=\"a\\\",for=1.1.1.1\" | 10.0.0.1/32",
        "for=203.0.113.9;host=\"a;for=1.1.1.1\" | 203.0.113.9/32",
        "for=203.0.113.9;for=1.1.1.1 | 10.0.0.1/32",
        "for=203.0.113.9 for=1.1.1.1 | 10.0.0.1/32",
        "for=\"203.0.113.9 | 10.0.0.1/32",
      })
  void forwarded_isReadAsRfc7239SaysIt(String header, String network) {
    ClientNetworks networks =
        networks(
            "spillway.network.trusted-proxies",
            PROXIES,
            "spillway.network.forwarded-header",
            "forwarded");
    assertThat(networks.of("10.0.0.1", List.of(header)).text()).isEqualTo(network);
  }

  @Test
  void network_isOneIpv4AddressOrASixtyFour() {
    ClientNetworks networks = networks();
    assertThat(networks.of("203.0.113.9", List.of()).text()).isEqualTo("203.0.113.9/32");
    assertThat(networks.of("2001:db8:1:2ff::1", List.of()).text()).isEqualTo("2001:db8:1:2ff::/64");
    assertThat(networks.of("fe80::1%eth0", List.of()).text()).isEqualTo("fe80::/64");
    assertThat(networks.of(null, List.of()).text()).as("a local socket").isEqualTo("127.0.0.1/32");
  }

  /** N4: clients of one translator share a /64. */
  @ParameterizedTest
  @CsvSource({
    "64:ff9b::198.51.100.1, 198.51.100.1/32",
    "64:ff9b::203.0.113.200, 203.0.113.200/32",
    "::ffff:0:203.0.113.200, 203.0.113.200/32",
    "::ffff:203.0.113.200, 203.0.113.200/32",
    "2002:cb00:71c8:1::5, 203.0.113.200/32",
    "2001:0:c000:201:8000:63bf:34ff:8e37, 203.0.113.200/32",
    // No public address: nobody becomes a neighbour of the service's own hosts by a tunnel.
    "2002:a00:1::1, 2002:a00:1::/64",
    "64:ff9b::127.0.0.1, 64:ff9b::/64",
    "2001:db8::203.0.113.200, 2001:db8::/64",
  })
  void n4_addressThatEmbedsAnIpv4_countsByIt(String peer, String network) {
    assertThat(networks().of(peer, List.of()).text()).isEqualTo(network);
  }

  @Test
  void n4_embeddedAddress_isNotTrustedForTheIpv4InIt() {
    ClientNetworks networks = networks("spillway.network.trusted-proxies", "203.0.113.200");
    assertThat(networks.of("2002:cb00:71c8::1", List.of("198.51.100.1")).text())
        .isEqualTo("203.0.113.200/32");
    assertThat(networks.of("2002:cb00:71c8::1", List.of()).address())
        .hasToString("2002:cb00:71c8::1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy.test", "10.0.0.0/33", "10.*", "10", "10.0.0.0/8,x"})
  void whatIsNoNetwork_isRefusedNamingTheKey(String value) {
    assertThatThrownBy(() -> networks("spillway.network.trusted-proxies", value))
        .hasMessageContaining("spillway.network.trusted-proxies");
  }

  @ParameterizedTest
  @CsvSource({
    "ipv6-prefix, 56",
    "forwarded-header, x-real-ip",
  })
  void impossibleValue_isRefusedNamingTheKey(String key, String value) {
    assertThatThrownBy(() -> networks("spillway.network." + key, value))
        .hasMessageContaining("spillway.network." + key);
  }

  private ClientNetworks networks(String... keysAndValues) {
    return new ClientNetworks(ConfigText.read(NetworkConfig.class, keysAndValues), meters);
  }
}
