package dev.spillway.benchmarks.service;

import java.nio.charset.StandardCharsets;

/** Somebody who logs in, or tries to. */
interface Caller {
  String login();

  String password();

  /** Where the service's proxy says the caller is. */
  String address();

  /** What is posted. */
  default byte[] loginBody() {
    return "{\"login\":\"%s\",\"password\":\"%s\"}"
        .formatted(login(), password())
        .getBytes(StandardCharsets.UTF_8);
  }

  /** A wrong password for {@code login}. */
  record Guess(String login, String password, String address) implements Caller {}
}
