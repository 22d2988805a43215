package dev.spillway.benchmarks;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestEngine;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of an engine with a job for each of its lanes, through the interface the service uses.
 */
final class FullLanes {
  private final BcryptSetting setting;
  private final byte[] password;
  private final List<BcryptDigest> digests = new ArrayList<>();
  private int begun;

  private FullLanes(BcryptSetting setting, byte[] password) {
    this.setting = setting;
    this.password = password;
  }

  static List<BcryptDigest> compute(DigestEngine engine, BcryptSetting setting, byte[] password) {
    FullLanes run = new FullLanes(setting, password);
    engine.run(run.next(), () -> run.begun < engine.lanes() ? run.next() : null);
    if (run.digests.size() != engine.lanes()) {
      throw new IllegalStateException(engine.name() + " ended " + run.digests.size() + " jobs");
    }
    return run.digests;
  }

  private DigestJob next() {
    begun++;
    return new DigestJob() {
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
          case DigestResult.Digested(BcryptDigest digest) -> digests.add(digest);
          case DigestResult.Failed(RuntimeException cause) -> throw cause;
          case DigestResult.Abandoned() -> throw new IllegalStateException("abandoned");
        }
      }
    };
  }
}
