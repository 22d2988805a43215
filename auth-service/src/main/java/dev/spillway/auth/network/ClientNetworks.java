package dev.spillway.auth.network;

import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Finds out where a request comes from: the peer, or, if that is a proxy of ours, the last hop that
 * is none. What stands further to the left in a header, the client has made up as it liked.
 */
@Startup
@ApplicationScoped
public class ClientNetworks {
  private static final Logger LOG = Logger.getLogger(ClientNetworks.class);

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

  /** The network of whoever sent this request. */
  public ClientNetwork of(HttpServerRequest request) {
    String peer = request.remoteAddress() == null ? null : request.remoteAddress().hostAddress();
    return of(peer, request.headers().getAll(header));
  }

  /**
   * @param peer the address at the other end of the connection; null on a local socket
   * @param forwarded the header's values in their order
   */
  ClientNetwork of(String peer, List<String> forwarded) {
    IPAddress client = peer == null ? LOOPBACK : Addresses.parse(peer).orElse(LOOPBACK);
    if (forwarded.isEmpty()) {
      return networkOf(client);
    }
    if (!proxies.contain(client)) {
      notBelieved();
      return networkOf(client);
    }
    for (String hop : ForwardedHops.of(config.forwardedHeader(), forwarded)) {
      IPAddress address = Addresses.parse(hop).orElse(null);
      if (address == null) {
        break; // what lies beyond cannot be believed either: the proxy answers for it
      }
      client = address;
      if (!proxies.contain(client)) {
        break;
      }
    }
    return networkOf(client);
  }

  private ClientNetwork networkOf(IPAddress address) {
    int prefix = address.isIPv4() ? config.ipv4Prefix() : config.ipv6Prefix();
    return new ClientNetwork(address, address.toPrefixBlock(prefix).toCanonicalString());
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
