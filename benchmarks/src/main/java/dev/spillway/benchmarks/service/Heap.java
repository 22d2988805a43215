package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.nio.file.Path;

/** What a service's heap holds. */
final class Heap {
  private static final double MEGABYTE = 1 << 20;

  private Heap() {}

  /** After a full collection. */
  static double megabytes(Service service) throws IOException, InterruptedException {
    Process collection =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(service.pid()),
                "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (collection.waitFor() != 0) {
      throw new IOException("jcmd cannot collect the heap of " + service.name());
    }
    return service.metric("jvm_memory_used_bytes", "area=\"heap\"") / MEGABYTE;
  }
}
