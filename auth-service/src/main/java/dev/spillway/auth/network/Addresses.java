package dev.spillway.auth.network;

import inet.ipaddr.AddressStringParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import java.util.List;
import java.util.Optional;

/** A set of IP addresses, and the one way in which this service reads them. */
public final class Addresses {
  private static final IPAddressStringParameters BLOCK =
      strict(new IPAddressStringParameters.Builder()).allowPrefix(true).toParams();

  private static final IPAddressStringParameters ONE =
      strict(new IPAddressStringParameters.Builder()).toParams();

  private final List<IPAddress> blocks;

  private Addresses(List<IPAddress> blocks) {
    this.blocks = blocks;
  }

  /**
   * @param key the configuration's, for the message
   * @param blocks addresses, or networks in CIDR notation
   * @throws IllegalArgumentException for anything else
   */
  public static Addresses of(String key, List<String> blocks) {
    return new Addresses(
        blocks.stream()
            .map(String::strip)
            .map(
                text -> {
                  IPAddress block = new IPAddressString(text, BLOCK).getAddress();
                  if (block == null) {
                    throw new IllegalArgumentException(
                        key + " has an entry that is neither an address nor a network: " + text);
                  }
                  return block.isPrefixed() ? block.toPrefixBlock() : block;
                })
            .toList());
  }

  /** Whether the address is one of these. */
  public boolean contain(IPAddress address) {
    for (IPAddress block : blocks) {
      if (block.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** One whole address. An IPv4 address that is mapped into IPv6 is the IPv4 address. */
  static Optional<IPAddress> parse(String text) {
    IPAddress address = new IPAddressString(text, ONE).getAddress();
    return Optional.ofNullable(address)
        .map(
            one ->
                one.isIPv6() && one.toIPv6().isIPv4Mapped()
                    ? one.toIPv6().getEmbeddedIPv4Address()
                    : one);
  }

  /** Nothing but whole addresses: no masks, ranges, wildcards, or numbers that only C takes. */
  private static IPAddressStringParameters.Builder strict(IPAddressStringParameters.Builder text) {
    text.getIPv4AddressParametersBuilder().allow_inet_aton(false);
    text.getIPv6AddressParametersBuilder().allowZone(false);
    return text.allowEmpty(false)
        .setEmptyAsLoopback(false)
        .allowAll(false)
        .allowSingleSegment(false)
        .allowPrefix(false)
        .allowPrefixOnly(false)
        .allowMask(false)
        .allowWildcardedSeparator(false)
        .setRangeOptions(AddressStringParameters.RangeParameters.NO_RANGE);
  }
}
