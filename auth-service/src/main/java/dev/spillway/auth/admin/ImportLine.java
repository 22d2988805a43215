package dev.spillway.auth.admin;

import dev.spillway.auth.http.Secret;
import java.util.List;

/**
 * One line of an import.
 *
 * @param hash as the other system stored it
 * @param check a password that is known to be the user's, or null
 */
record ImportLine(String login, String hash, List<String> groups, Boolean disabled, Secret check) {
  @Override
  public String toString() {
    return "ImportLine[hidden]";
  }
}
