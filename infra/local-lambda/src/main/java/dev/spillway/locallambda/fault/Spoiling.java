package dev.spillway.locallambda.fault;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What becomes of a function's answer. Answers without an {@code id} or a {@code digest}, as of
 * functions that are not Spillway's, have none to spoil and stay as they are.
 */
final class Spoiling {
  private static final Pattern ID = Pattern.compile("(\"id\"\\s*:\\s*\")([^\"]*)");
  private static final Pattern DIGEST = Pattern.compile("(\"digest\"\\s*:\\s*\")([^\"]*)");

  /** Well formed: 31 characters, the last of which carries four bits. */
  private static final String ANOTHER = "uG0VCzI2bS7j6ymqJi9CdcdxiRTWNyO";

  private Spoiling() {}

  static byte[] html(byte[] reply) {
    return "<!DOCTYPE html><title>502</title><h1>Bad gateway</h1>\n".getBytes(UTF_8);
  }

  static byte[] nothing(byte[] reply) {
    return new byte[0];
  }

  static byte[] half(byte[] reply) {
    return Arrays.copyOf(reply, reply.length / 2);
  }

  static byte[] otherId(byte[] reply) {
    return each(ID, id -> id + "0", reply);
  }

  static byte[] other(byte[] reply) {
    return each(DIGEST, digest -> ANOTHER, reply);
  }

  static byte[] shorter(byte[] reply) {
    return each(DIGEST, digest -> digest.substring(1), reply);
  }

  static byte[] longer(byte[] reply) {
    return each(DIGEST, digest -> digest + ".", reply);
  }

  private static byte[] each(Pattern value, UnaryOperator<String> spoilt, byte[] reply) {
    return value
        .matcher(new String(reply, UTF_8))
        .replaceAll(found -> found.group(1) + spoilt.apply(found.group(2)))
        .getBytes(UTF_8);
  }
}
