package dev.spillway.auth.hashing.spill;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/** Which function to call, where: a target's settings once they are known to make sense. */
record TargetAddress(String function, String region, URI endpoint) {
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
            .or(() -> isArn ? java.util.Optional.of(arn[3]) : java.util.Optional.empty())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        key + ".region is needed: the function is not given as an ARN"));
    if (!region.matches("[a-z0-9-]{1,32}")) {
      throw new IllegalArgumentException(key + ".region is no AWS region");
    }
    URI endpoint =
        target
            .endpoint()
            .orElseGet(() -> URI.create("https://lambda." + region + "." + domain(region)));
    if (endpoint.getHost() == null) {
      throw new IllegalArgumentException(key + ".endpoint has no host");
    }
    boolean tls = "https".equals(endpoint.getScheme());
    if (!tls && !("http".equals(endpoint.getScheme()) && isLoopback(endpoint.getHost()))) {
      throw new IllegalArgumentException(
          key + ".endpoint must be https: passwords travel there (http only on loopback)");
    }
    return new TargetAddress(function, region, endpoint);
  }

  /** The partition of China has one of its own. */
  private static String domain(String region) {
    return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
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
