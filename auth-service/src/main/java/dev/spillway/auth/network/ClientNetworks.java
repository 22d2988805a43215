package dev.spillway.auth.network;

import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.ipv4.IPv4Address;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Finds out where a request comes from: the peer, or, if that is a trusted proxy, the last hop that
 * is none. The hops to the left of that one were written by the client.
 *
 * <p>Quarkus's {@code quarkus.http.proxy} is not used: it believes the first hop, which the client
 * writes wherever a proxy appends to what it was sent, and it changes the address of the peer for
 * everything else too.
 */
@Startup
@ApplicationScoped
public class ClientNetworks {
  private static final Logger LOG = Logger.getLogger(ClientNetworks.class);

  /** Every client with one IPv6 address has a /64 of them (RFC 6177). */
  private static final int IPV6_PREFIX = 64;

  /** A local socket has no address. */
  private static final IPAddress LOOPBACK = new IPAddressString("127.0.0.1").getAddress();

  private final NetworkConfig config;
  private final Addresses proxies;
  private final String header;
  private final Counter ignored;
  private final AtomicBoolean warned = new AtomicBoolean();

  ClientNetworks(NetworkConfig config, MeterRegistry registry) {
    this.config = config;
    this.proxies =
        Addresses.of("spillway.network.trusted-proxies", config.trustedProxies().orElse(List.of()));
    this.header =
        switch (config.forwardedHeader()) {
          case X_FORWARDED_FOR -> "X-Forwarded-For";
          case FORWARDED -> "Forwarded";
        };
    this.ignored =
        Counter.builder("spillway.network.forwarded.ignored")
            .description("Requests that were forwarded by a peer who is no trusted proxy")
            .register(registry);
  }

  /** The network of a request's client. */
  public ClientNetwork of(HttpServerRequest request) {
    String peer = request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
    return of(peer, request.headers().getAll(header));
  }

  /**
   * @param peer the address at the other end of the connection; null on a local socket
   * @param forwarded the header's values in their order
   */
  ClientNetwork of(String peer, List<String> forwarded) {
    // A peer on the local link has a zone, which is a name of an interface of this machine.
    IPAddress client =
        peer == null ? LOOPBACK : Addresses.parse(peer.replaceFirst("%.*", "")).orElse(LOOPBACK);
    if (forwarded.isEmpty()) {
      return networkOf(client);
    }
    if (!proxies.contain(client)) {
      notBelieved();
      return networkOf(client);
    }
    String[] hops = String.join(",", forwarded).split(",", -1);
    for (int i = hops.length - 1; i >= 0 && proxies.contain(client); i--) {
      IPAddress hop = Hop.address(config.forwardedHeader(), hops[i]).orElse(null);
      if (hop == null) {
        break; // the hops before it cannot be believed either: the proxy counts as the client
      }
      client = hop;
    }
    return networkOf(client);
  }

  private ClientNetwork networkOf(IPAddress address) {
    IPAddress counted = Embedded.ipv4(address).orElse(address);
    int prefix = counted.isIPv4() ? IPv4Address.BIT_COUNT : IPV6_PREFIX;
    return new ClientNetwork(address, counted.toPrefixBlock(prefix).toCanonicalString());
  }

  /** Behind a proxy that is not configured, all clients are one network: throttled together. */
  private void notBelieved() {
    ignored.increment();
    if (warned.compareAndSet(false, true)) {
      LOG.warnf(
          "A request came with the header %s from a peer that is no trusted proxy; it counts as the"
              + " peer's. If the peer is a proxy of yours, add it to"
              + " spillway.network.trusted-proxies; spillway_network_forwarded_ignored_total counts"
              + " such requests",
          header);
    }
  }
}
