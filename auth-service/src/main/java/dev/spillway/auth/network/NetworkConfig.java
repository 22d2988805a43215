package dev.spillway.auth.network;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
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

  /** The headers that say where a request came from. */
  enum Header {
    /** The one in general use: addresses, a comma between any two. */
    X_FORWARDED_FOR,
    /** RFC 7239. */
    FORWARDED
  }
}
