package dev.spillway.auth.network;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import java.util.Optional;

/** Where a request comes from. The defaults are argued in docs/security.md. */
@ConfigMapping(prefix = "spillway.network")
public interface NetworkConfig {
  /**
   * Addresses and networks in CIDR notation of the proxies that are ours. Only what they say about
   * where a request came from is believed. By default none: the peer is the client.
   */
  @Networks
  Optional<List<String>> trustedProxies();

  /**
   * Which header those proxies write. One and not both: a proxy that writes one passes the other on
   * as the client made it up.
   */
  @WithDefault("x-forwarded-for")
  Header forwardedHeader();

  /** How many leading bits of an IPv4 address make a client's network. */
  @Min(8)
  @Max(32)
  @WithDefault("32")
  int ipv4Prefix();

  /**
   * How many leading bits of an IPv6 address make a client's network. Whoever has one address has a
   * /64 of them (RFC 6177).
   */
  @Min(16)
  @Max(128)
  @WithDefault("64")
  int ipv6Prefix();

  /** The headers that say where a request came from. */
  enum Header {
    /** The one in general use: addresses, a comma between any two. */
    X_FORWARDED_FOR,
    /** RFC 7239. */
    FORWARDED
  }
}
