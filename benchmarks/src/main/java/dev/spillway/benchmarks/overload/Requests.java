package dev.spillway.benchmarks.overload;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The bytes of logins, made before there is load. Only the address is put in when one is sent: it
 * has always as many digits.
 */
final class Requests {
  private static final String HEAD = "POST /login HTTP/1.1\r\nX-Forwarded-For: 10.";
  private static final String ADDRESS = "100.100.100";
  private static final int LEAST = 100;
  private static final int OCTETS = 156; // 100 to 255 have three digits
  private static final int SECOND_OF_OWN = 100; // second octets 100 to 199
  private static final int SECOND_OF_SHARED = 200;

  private final SplittableRandom random;
  private final byte[][] right;
  private final byte[][] wrong;

  /** Goes on from run to run: a network that was there before might be known. */
  private int networksUsed;

  Requests(List<String> logins, String password, int port, long seed, int networksUsed) {
    this.random = new SplittableRandom(seed);
    this.right = bytes(logins, password, port);
    this.wrong = bytes(logins, "not-" + password, port);
    this.networksUsed = networksUsed;
  }

  int networksUsed() {
    return networksUsed;
  }

  /**
   * Puts one login of this kind into the buffer.
   *
   * @param index of this traffic among {@code of}: each has users of its own
   */
  void put(Traffic traffic, int index, int of, ByteBuffer to) {
    byte[][] all = traffic.rightPassword() ? right : wrong;
    int at = to.position() + HEAD.length();
    to.put(all[random.nextInt(all.length / of) * of + index]);
    if (traffic.networks() == 0) {
      int network = networksUsed++;
      address(to, at, SECOND_OF_OWN + network / (OCTETS * OCTETS) % 100, network);
    } else {
      address(to, at, SECOND_OF_SHARED + index, random.nextInt(traffic.networks()));
    }
  }

  private static void address(ByteBuffer to, int at, int second, int network) {
    digits(to, at, second);
    digits(to, at + 4, LEAST + network / OCTETS % OCTETS);
    digits(to, at + 8, LEAST + network % OCTETS);
  }

  private static void digits(ByteBuffer to, int at, int number) {
    to.put(at, (byte) ('0' + number / 100));
    to.put(at + 1, (byte) ('0' + number / 10 % 10));
    to.put(at + 2, (byte) ('0' + number % 10));
  }

  private static byte[][] bytes(List<String> logins, String password, int port) {
    return logins.stream()
        .map(
            login -> {
              String body = "{\"login\":\"%s\",\"password\":\"%s\"}".formatted(login, password);
              return (HEAD
                      + ADDRESS
                      + "\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
                          .formatted(port)
                      + "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body))
                  .getBytes(StandardCharsets.US_ASCII);
            })
        .toArray(byte[][]::new);
  }
}
