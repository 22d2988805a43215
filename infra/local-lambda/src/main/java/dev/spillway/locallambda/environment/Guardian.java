package dev.spillway.locallambda.environment;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A shell that kills our process groups when we are gone, however we went: it reads which groups
 * live from a pipe, and the end of the pipe is our end.
 *
 * <p>PR_SET_PDEATHSIG alone reaches the one process we forked. What that process forked in turn,
 * stopped along with it, would stay behind stopped for ever.
 */
final class Guardian {
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      groups=
      while read -r change group; do
        case $change in
          +) groups="$groups $group" ;;
          -) left=
             for each in $groups; do [ "$each" = "$group" ] || left="$left $each"; done
             groups=$left ;;
        esac
      done
      for each in $groups; do kill -s KILL -- "-$each" || kill -s KILL "$each"; done
      """;

  private final Process shell;
  private final OutputStream pipe; // guarded by this

  private Guardian(Process shell) {
    this.shell = shell;
    this.pipe = shell.getOutputStream();
  }

  /**
   * @param session the command that puts the shell out of reach of a terminal's signals
   */
  static Guardian start(List<String> session) throws IOException {
    var builder = new ProcessBuilder(session);
    builder.command().addAll(List.of("/bin/sh", "-c", SCRIPT));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return new Guardian(builder.start());
  }

  /** Somebody who ends all he finds of ours may have ended it too. */
  boolean isAlive() {
    return shell.isAlive();
  }

  void watch(long group) throws IOException {
    tell("+ " + group);
  }

  /** The group has no process left; its number may be another's soon. */
  void forget(long group) throws IOException {
    tell("- " + group);
  }

  private synchronized void tell(String line) throws IOException {
    pipe.write((line + "\n").getBytes(US_ASCII));
    pipe.flush();
  }
}
