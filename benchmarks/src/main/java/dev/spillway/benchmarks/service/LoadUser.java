package dev.spillway.benchmarks.service;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.lanes.LaneDigestEngine;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A user made for the load, whose password everybody here knows. */
record LoadUser(String login, BcryptHash hash) implements Caller {
  static final String PASSWORD = "load-password";

  static List<LoadUser> make(int count, int cost) {
    return make("load", count, cost);
  }

  /** On every core; each with a salt of its own. */
  static List<LoadUser> make(String prefix, int count, int cost) {
    SecureRandom random = new SecureRandom();
    LaneDigestEngine engine = new LaneDigestEngine(1);
    byte[] password = PASSWORD.getBytes(StandardCharsets.UTF_8);
    return IntStream.range(0, count)
        .parallel()
        .mapToObj(
            i -> {
              BcryptSetting setting = BcryptSetting.random(BcryptVersion.V2B, cost, random);
              return new LoadUser(
                  prefix + "-" + i, new BcryptHash(setting, engine.digest(setting, password)));
            })
        .toList();
  }

  /** So many users with this one's hash. */
  Stream<LoadUser> aliases(int count) {
    return IntStream.range(0, count).mapToObj(i -> new LoadUser(login + "-" + i, hash));
  }

  /** The lines of an import. */
  static String importLines(List<LoadUser> users) {
    return users.stream()
        .map(
            user ->
                "{\"login\":\"%s\",\"hash\":\"%s\"}\n".formatted(user.login, user.hash.encoded()))
        .collect(Collectors.joining());
  }

  @Override
  public String password() {
    return PASSWORD;
  }

  /** Where this user is: always the same network, and nearly always another than anybody else's. */
  @Override
  public String address() {
    int bits = login.hashCode() * 0x9E3779B1 >>> 8;
    return "10.%s.%s.%s".formatted(bits >>> 16, bits >>> 8 & 0xff, bits & 0xff);
  }

  String setting() {
    return hash.setting().toString();
  }
}
