package dev.spillway.benchmarks.service;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import dev.spillway.core.lanes.LaneDigestEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The kernel without a service: threads that do nothing but hash, every lane always full. A process
 * of its own, as the service is; takes cost, threads and lanes. For each line {@code RAMP LENGTH},
 * in milliseconds, on its standard input it writes the hashes per second of one sample.
 */
final class KernelAlone {
  private final LaneDigestEngine engine;
  private final BcryptSetting setting;
  private final byte[] password = "demo-password".getBytes(StandardCharsets.UTF_8);
  private final AtomicLong hashes = new AtomicLong();
  private volatile boolean stopped;

  private KernelAlone(int cost, int lanes) {
    engine = new LaneDigestEngine(lanes);
    setting = BcryptSetting.random(BcryptVersion.V2B, cost, new SecureRandom());
  }

  public static void main(String... args) throws IOException, InterruptedException {
    int threads = Integer.parseInt(args[1]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] times = line.split(" ", -1);
      KernelAlone kernel = new KernelAlone(Integer.parseInt(args[0]), Integer.parseInt(args[2]));
      System.out.println(
          kernel.sample(threads, Long.parseLong(times[0]), Long.parseLong(times[1])));
    }
  }

  private double sample(int count, long rampMillis, long millis) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().name("hash-" + i).start(this::hash));
    }
    Thread.sleep(rampMillis);
    long start = System.nanoTime();
    long before = hashes.get();
    Thread.sleep(millis);
    double perSecond = (hashes.get() - before) * 1e9 / (System.nanoTime() - start);
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return perSecond;
  }

  private void hash() {
    engine.run(new Job(), () -> stopped ? null : new Job());
  }

  private final class Job implements DigestJob {
    @Override
    public BcryptSetting setting() {
      return setting;
    }

    @Override
    public byte[] password() {
      return password;
    }

    @Override
    public boolean abandoned() {
      return false;
    }

    @Override
    public void end(DigestResult result) {
      switch (result) {
        case DigestResult.Digested(BcryptDigest _) -> hashes.incrementAndGet();
        case DigestResult.Failed(RuntimeException cause) -> throw cause;
        case DigestResult.Abandoned() -> throw new IllegalStateException("abandoned");
      }
    }
  }
}
