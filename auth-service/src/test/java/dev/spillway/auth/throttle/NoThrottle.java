package dev.spillway.auth.throttle;

import dev.spillway.auth.ConfigText;
import dev.spillway.auth.network.ClientNetwork;
import inet.ipaddr.IPAddressString;
import java.time.InstantSource;

/** For tests of what comes after the throttle. */
public final class NoThrottle {
  public static final ClientNetwork SOMEWHERE =
      new ClientNetwork(new IPAddressString("192.0.2.1").getAddress(), "192.0.2.1/32");

  private NoThrottle() {}

  /** Exempts everybody and asks nothing of a database. */
  public static Throttle throttle() {
    return new Throttle(
        ConfigText.read(ThrottleConfig.class, "spillway.throttle.exempt", "0.0.0.0/0,::/0"),
        null,
        () -> {},
        1,
        InstantSource.system());
  }
}
