package dev.spillway.auth.hashing.spill;

import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Which function to call, where: a target's settings once they are known to make sense.
 *
 * @param function name or ARN
 * @param call what events are posted to
 */
record TargetAddress(String function, String region, URI endpoint, URI call) {
  /**
   * @throws IllegalArgumentException if the settings cannot work, saying which and why
   */
  static TargetAddress of(String name, SpillConfig.Target target) {
    String key = "spillway.spill.targets." + name;
    String function = target.function();
    if (!function.matches("[A-Za-z0-9:_$-]{1,170}")) {
      throw new IllegalArgumentException(key + ".function is no function name or ARN");
    }
    String[] arn = function.split(":", -1);
    boolean isArn = arn.length >= 7 && arn[0].equals("arn");
    String region =
        target
            .region()
            .or(() -> isArn ? Optional.of(arn[3]) : Optional.empty())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        key + ".region is needed: the function is not given as an ARN"));
    checkRegion(key, region);
    URI endpoint =
        target
            .endpoint()
            .orElseGet(() -> URI.create("https://lambda." + region + "." + domain(region)));
    checkSafe(key + ".endpoint", endpoint);
    String base = endpoint.toString().replaceAll("/+$", "");
    URI call =
        URI.create(
            base
                + "/2015-03-31/functions/"
                + URLEncoder.encode(function, StandardCharsets.UTF_8)
                + "/invocations");
    return new TargetAddress(function, region, endpoint, call);
  }

  private static void checkRegion(String key, String region) {
    if (!region.matches("[a-z0-9-]{1,32}")) {
      throw new IllegalArgumentException(key + ".region is no AWS region");
    }
  }

  /** The partition of China has one of its own. */
  private static String domain(String region) {
    return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  }

  private static void checkSafe(String key, URI address) {
    if (address.getHost() == null) {
      throw new IllegalArgumentException(key + " has no host");
    }
    boolean tls = "https".equals(address.getScheme());
    if (!tls && !("http".equals(address.getScheme()) && isLoopback(address.getHost()))) {
      throw new IllegalArgumentException(
          key + " must be https: passwords travel there (http only on loopback)");
    }
    if (address.getRawQuery() != null
        || address.getRawFragment() != null
        || address.getRawUserInfo() != null) {
      throw new IllegalArgumentException(key + " has a query, a fragment or a user in it");
    }
  }

  private static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    // Only literals: a name could resolve to loopback today and elsewhere tomorrow.
    if (!host.matches("[0-9.]+|\\[[0-9a-fA-F:]+]")) {
      return false;
    }
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
