package dev.spillway.auth.network;

import inet.ipaddr.IPAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One hop of a forwarding header: the text between two commas.
 *
 * <p>A header is split at every comma, inside quotes too, so that nothing in one hop changes how
 * the hops to its right are read: a proxy appends its hop to whatever the client sent. Half of a
 * quoted string is no valid hop, because a quote inside of it is escaped.
 */
final class Hop {
  /** RFC 7239, section 6: an address, and a port that may be obfuscated. No zone. */
  private static final Pattern NODE =
      Pattern.compile(
          "(?:(?<v4>OCTET(?:\\.OCTET){3})|\\[(?<v6>[0-9A-Fa-f:.]++)])(?::(?:\\d{1,5}|_[\\w.-]++))?"
                  .replace("OCTET", "(?:0|[1-9]\\d{0,2})")
              + "|(?<bare>[0-9A-Fa-f]*+:[0-9A-Fa-f:.]++)");

  /** RFC 7239, section 4, and colons or brackets without quotes, which some proxies write. */
  private static final Pattern PAIR =
      Pattern.compile(
          "[ \\t]*+(?:(?<name>[^\\s=;\"]++)=(?:\"(?<quoted>(?:[^\"\\\\]|\\\\.)*+)\""
              + "|(?<plain>[^\\s;\"\\\\]*+)))?+[ \\t]*+(?:;|\\z)");

  private Hop() {}

  /** The address that the hop names, if it is a valid hop and names one. */
  static Optional<IPAddress> address(NetworkConfig.Header header, String hop) {
    return switch (header) {
      case X_FORWARDED_FOR -> node(hop.strip());
      case FORWARDED -> node(forParameter(hop));
    };
  }

  private static Optional<IPAddress> node(String text) {
    Matcher node = NODE.matcher(text);
    if (!node.matches()) {
      return Optional.empty();
    }
    String v4 = node.group("v4");
    String v6 = node.group("v6");
    return Addresses.parse(v4 != null ? v4 : v6 != null ? v6 : node.group("bare"));
  }

  /** Empty if there is none, or two, or anything in the hop is malformed. */
  private static String forParameter(String hop) {
    String found = "";
    Matcher pair = PAIR.matcher(hop);
    for (int at = 0; at < hop.length(); at = pair.end()) {
      if (!pair.region(at, hop.length()).lookingAt()) {
        return "";
      }
      if ("for".equalsIgnoreCase(pair.group("name"))) {
        if (!found.isEmpty()) {
          return "";
        }
        String quoted = pair.group("quoted");
        found = quoted == null ? pair.group("plain") : quoted;
      }
    }
    return found;
  }
}
