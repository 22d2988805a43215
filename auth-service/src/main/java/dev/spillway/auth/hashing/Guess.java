package dev.spillway.auth.hashing;

import dev.spillway.core.bcrypt.BcryptHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Bytes to hold against a stored hash. The one place that decides which bytes a password stands
 * for, at login and where an import is checked.
 *
 * @param nfc whether new hashes are made of such bytes
 * @param cut whether they are the first 72 of a longer password
 */
public record Guess(byte[] bytes, boolean nfc, boolean cut) {
  /**
   * As many as a password has forms that can be one: it depends on what was typed and on nothing
   * else, so that unknown users cost as many hashes as known ones.
   *
   * @param cutLong whether a form that is too long is cut
   */
  public static List<Guess> of(PasswordForms forms, boolean cutLong) {
    List<Guess> guesses = new ArrayList<>();
    for (byte[] form : forms.all()) {
      Optional<PasswordFault> fault = PasswordFault.of(form);
      boolean cut = fault.filter(f -> f == PasswordFault.TOO_LONG).isPresent();
      if (fault.isEmpty()) {
        guesses.add(new Guess(form, form == forms.nfc(), false));
      } else if (cut && cutLong) {
        byte[] read = Arrays.copyOf(form, BcryptHash.MAX_PASSWORD_BYTES);
        if (guesses.stream().noneMatch(guess -> Arrays.equals(guess.bytes, read))) {
          guesses.add(new Guess(read, false, true));
        }
      }
    }
    return guesses;
  }

  public void wipeIfCut() {
    if (cut) {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  @Override
  public String toString() {
    return "Guess[hidden]";
  }
}
