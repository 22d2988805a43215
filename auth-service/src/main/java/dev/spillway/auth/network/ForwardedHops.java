package dev.spillway.auth.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads the hops of a request out of the headers that proxies write, the nearest first. */
final class ForwardedHops {
  private ForwardedHops() {}

  /**
   * @param lines the header's values in their order
   */
  static List<String> of(NetworkConfig.Header header, List<String> lines) {
    List<String> hops = new ArrayList<>();
    for (String line : lines) {
      for (String element : split(line, ',')) {
        hops.add(
            switch (header) {
              case X_FORWARDED_FOR -> element.strip();
              case FORWARDED -> forParameter(element);
            });
      }
    }
    Collections.reverse(hops);
    return hops;
  }

  /** RFC 7239, section 4; an empty text, which is no address, if a proxy keeps its peer secret. */
  private static String forParameter(String element) {
    for (String pair : split(element, ';')) {
      int equals = pair.indexOf('=');
      if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase("for")) {
        String value = pair.substring(equals + 1).strip();
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
      }
    }
    return "";
  }

  /** At the separators outside quotes. */
  private static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        parts.add(text.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(text.substring(from));
    return parts;
  }
}
