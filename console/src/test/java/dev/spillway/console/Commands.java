package dev.spillway.console;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Commands as the launcher calls them, without a process. */
public final class Commands {
  private Commands() {}

  /** What came of one. */
  public record Outcome(int exit, String out, String err) {}

  public static Outcome run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commands =
        Main.commands().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Outcome(commands.execute(args), out.toString(), err.toString());
  }
}
