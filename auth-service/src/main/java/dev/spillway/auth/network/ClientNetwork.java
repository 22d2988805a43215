package dev.spillway.auth.network;

import inet.ipaddr.IPAddress;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where a request comes from.
 *
 * @param address of the client, as far as it can be known
 * @param text the network that the address counts for, in CIDR notation
 */
public record ClientNetwork(IPAddress address, String text) {
  /** What a provider gives to a home, and to a site: 256 and 65,536 networks of /64 (RFC 6177). */
  private static final int[] WIDER = {56, 48};

  /**
   * The wider networks around an IPv6 one, from the narrowest. A holder of one of them can make
   * each request from another /64.
   */
  public List<String> wider() {
    if (!address.isIPv6() || !text.contains(":")) {
      return List.of();
    }
    return IntStream.of(WIDER)
        .mapToObj(prefix -> address.toPrefixBlock(prefix).toCanonicalString())
        .toList();
  }

  /** The network only: logs need no more. */
  @Override
  public String toString() {
    return text;
  }
}
