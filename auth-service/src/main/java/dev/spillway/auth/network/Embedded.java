package dev.spillway.auth.network;

import inet.ipaddr.IPAddress;
import inet.ipaddr.ipv4.IPv4Address;
import inet.ipaddr.ipv6.IPv6Address;
import java.util.Optional;

/**
 * IPv4 addresses inside IPv6 addresses of translators and tunnels. All clients of one translator
 * share a /64, so they count by the IPv4 address. This is for counting only: no such address is
 * trusted or exempt because of its IPv4 address, which the tunnel's operator can choose.
 */
final class Embedded {
  private Embedded() {}

  /** Empty too if the IPv4 address is not a public one: such a translator is misconfigured. */
  static Optional<IPAddress> ipv4(IPAddress address) {
    if (!address.isIPv6()) {
      return Optional.empty();
    }
    IPv6Address v6 = address.toIPv6();
    IPv4Address v4 = null;
    if (v6.isWellKnownIPv4Translatable() || v6.isIPv4Translatable()) { // RFC 6052, RFC 2765
      v4 = v6.getEmbeddedIPv4Address();
    } else if (v6.is6To4()) { // RFC 3056
      v4 = v6.get6To4IPv4Address();
    } else if (v6.isTeredo()) { // RFC 4380: every bit of it is inverted
      v4 = new IPv4Address(~v6.getEmbeddedIPv4Address().intValue());
    }
    return Optional.ofNullable(v4).filter(Embedded::isPublic).map(IPAddress.class::cast);
  }

  private static boolean isPublic(IPv4Address v4) {
    return !v4.isLocal() && !v4.isLoopback() && !v4.isAnyLocal() && !v4.isMulticast();
  }
}
