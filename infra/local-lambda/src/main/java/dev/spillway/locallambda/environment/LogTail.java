package dev.spillway.locallambda.environment;

import dev.spillway.locallambda.template.FunctionSettings;
import java.time.Duration;
import java.util.Locale;

/**
 * The text of X-Amz-Log-Result: the service's START, END and REPORT lines around what the
 * environment wrote last, cut to 4 KB at the front. Output is not told apart by event here.
 */
final class LogTail {
  private static final int LENGTH = 4096;

  private LogTail() {}

  static String of(Event event, FunctionSettings function, String output, Duration duration) {
    String id = event.requestId();
    double millis = duration.toNanos() / 1e6;
    String text =
        String.format(
            Locale.ROOT,
            "START RequestId: %s Version: %s\n%sEND RequestId: %s\n"
                + "REPORT RequestId: %s\tDuration: %.2f ms\tBilled Duration: %.0f ms\t"
                + "Memory Size: %d MB\n",
            id,
            function.version(),
            output,
            id,
            id,
            millis,
            Math.ceil(millis),
            function.memoryMegabytes());
    return text.substring(Math.max(0, text.length() - LENGTH));
  }
}
