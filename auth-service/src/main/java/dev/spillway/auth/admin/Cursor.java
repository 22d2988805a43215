package dev.spillway.auth.admin;

import dev.spillway.auth.http.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a list by ascending id: behind the last entry that was shown. Rows that come or go
 * before it move nothing. Its text means nothing to a client, and is good for its own list only.
 */
record Cursor(String list, long after) {
  static final String DESCRIPTION = "The next of the page before; none for the first page.";

  static final String NEXT =
      "The cursor of the next page; the end is a page of no entries. Entries that come later are"
          + " behind it. Absent for an empty list.";

  private static final Pattern TEXT = Pattern.compile("([a-z]+):([1-9][0-9]{0,17})");

  /**
   * @param text null for the beginning of the list
   */
  static Cursor parse(String list, String text) {
    if (text == null) {
      return new Cursor(list, 0);
    }
    try {
      byte[] decoded = Base64.getUrlDecoder().decode(text);
      Matcher parts = TEXT.matcher(new String(decoded, StandardCharsets.UTF_8));
      if (parts.matches() && parts.group(1).equals(list)) {
        return new Cursor(list, Long.parseLong(parts.group(2)));
      }
    } catch (IllegalArgumentException e) {
      // Refused as everything else that is no cursor.
    }
    throw Problem.invalid(new Problem.Refused("cursor", "must be the next of a page of this list"))
        .toException();
  }

  /** Null at the beginning of an empty list. */
  String text() {
    String text = list + ":" + after;
    return after == 0
        ? null
        : Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  Cursor behind(long id) {
    return new Cursor(list, id);
  }
}
