package dev.spillway.auth.network;

import inet.ipaddr.IPAddress;

/**
 * Where a request comes from.
 *
 * @param address of the client, as far as it can be known
 * @param text the network that the address counts for, in CIDR notation
 */
public record ClientNetwork(IPAddress address, String text) {
  /** The network only: logs need no more. */
  @Override
  public String toString() {
    return text;
  }
}
