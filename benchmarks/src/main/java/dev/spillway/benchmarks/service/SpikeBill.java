package dev.spillway.benchmarks.service;

import dev.spillway.console.size.LambdaPrice;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What spilling has cost so far, or would on AWS. */
record SpikeBill(double spilled, double seconds) {
  static SpikeBill of(SpikeContender.Started started, SpikeContender contender)
      throws IOException, InterruptedException {
    if (started.function() != null) {
      return new SpikeBill(started.function().calls(), started.function().billedMillis() / 1e3);
    }
    return contender.isSpillway()
        ? new SpikeBill(
            started.service().metric("spillway_spill_call_seconds_count", "computed"),
            started.service().metric("spillway_spill_call_seconds_sum", "computed"))
        : new SpikeBill(0, 0);
  }

  SpikeBill since(SpikeBill earlier) {
    return new SpikeBill(spilled - earlier.spilled, seconds - earlier.seconds);
  }

  void tell(Map<String, Double> figures) {
    if (spilled > 0) {
      Duration each = Duration.ofNanos(Math.round(1e9 * seconds / spilled));
      figures.put("calls of the function", spilled);
      figures.put("dollars for a million of them", 1e6 * LambdaPrice.ARM64.perLogin(each));
    }
  }
}
