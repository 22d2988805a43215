// What happened between two samples. Counts only grow, unless the service was started again.

/** Samples of the last minute, oldest first. */
export class History {
  static SPAN = 60_000;
  #samples = [];

  add(sample) {
    const last = this.#samples.at(-1);
    if (last && (sample.up < last.up || sample.at <= last.at)) {
      this.#samples = [];
    }
    this.#samples.push(sample);
    while (this.#samples[0].at < sample.at - History.SPAN) {
      this.#samples.shift();
    }
  }

  get latest() {
    return this.#samples.at(-1);
  }

  /** The sample taken this long before the latest, or the oldest there is. */
  before(millis) {
    return this.#samples.find(sample => sample.at >= this.latest.at - millis);
  }

  /** How much the count grew a second, between the last two samples. */
  rate(count) {
    const previous = this.#samples.at(-2);
    return previous ? perSecond(previous, this.latest, count) : 0;
  }

  /** The rate in each step of the minute: [milliseconds before the latest, rate]. */
  rates(count) {
    return this.#samples.slice(1).map((sample, i) =>
      [this.latest.at - sample.at, perSecond(this.#samples[i], sample, count)]);
  }
}

function perSecond(earlier, later, count) {
  return Math.max(0, (count(later) - count(earlier)) * 1000 / (later.at - earlier.at));
}

/** Logins within each time that ended between the samples: [{ within, count }]. */
export function latencies(earlier, later) {
  const before = new Map(earlier.latency.map(bucket => [bucket.within, bucket.count]));
  return later.latency.map(bucket =>
    ({ within: bucket.within, count: bucket.count - (before.get(bucket.within) ?? 0) }));
}

/** The quantile in seconds, evenly spread within a bucket as Prometheus has it; undefined of none. */
export function quantile(buckets, q) {
  const all = buckets.at(-1).count;
  if (all <= 0) {
    return undefined;
  }
  const rank = q * all;
  let low = 0;
  let below = 0;
  for (const { within, count } of buckets) {
    if (within === null) {
      return low;
    }
    if (count >= rank) {
      return low + (within - low) * (rank - below) / (count - below);
    }
    low = within;
    below = count;
  }
}

/** A time for people: 4 ms, 250 ms, 1.3 s. */
export function time(seconds) {
  if (seconds === undefined) {
    return '–';
  }
  return seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms` : `${seconds.toFixed(1)} s`;
}
