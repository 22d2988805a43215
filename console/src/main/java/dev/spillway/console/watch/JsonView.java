package dev.spillway.console.watch;

import java.io.PrintStream;

/** A line of JSON for each reading. */
record JsonView(JsonState json, PrintStream out) implements View {
  @Override
  public void show(ServiceState state) {
    out.println(json.of(state));
  }

  @Override
  public void show(Reading.Silent silent) {
    out.println(json.of(silent));
  }
}
