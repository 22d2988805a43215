package dev.spillway.console.watch;

import java.io.PrintStream;

/** View without a terminal: a line for each reading, and one for a time without a service. */
final class LineView implements View {
  private final Panel panel;
  private final PrintStream out;
  private String said = "";

  LineView(Panel panel, PrintStream out) {
    this.panel = panel;
    this.out = out;
  }

  @Override
  public void show(ServiceState state) {
    said = "";
    out.println(panel.line(state));
  }

  @Override
  public void show(Reading.Silent silent) {
    if (!said.equals(silent.why())) {
      said = silent.why();
      out.printf(
          "%s no service at %s: %s; trying again%n",
          Text.clock(silent.at(), panel.zone()), panel.service(), silent.why());
    }
  }
}
