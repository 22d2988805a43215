package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Processes of others that want a core each, at the usual priority. */
final class Neighbours implements AutoCloseable {
  private final List<Process> loops = new ArrayList<>();

  private Neighbours() {}

  static Neighbours start(Site site, int count) throws IOException {
    Neighbours neighbours = new Neighbours();
    for (int i = 0; i < count; i++) {
      neighbours.loops.add(
          site.start("neighbour", false, Map.of(), List.of("sh", "-c", "while :; do :; done")));
    }
    return neighbours;
  }

  @Override
  public void close() {
    loops.forEach(Process::destroyForcibly);
  }
}
