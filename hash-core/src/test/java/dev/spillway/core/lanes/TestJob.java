package dev.spillway.core.lanes;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult;
import java.util.ArrayList;
import java.util.List;

/** A job that remembers how it ended and gives up when asked often enough. */
final class TestJob implements DigestJob {
  static final int NEVER = Integer.MAX_VALUE;

  private final BcryptSetting setting;
  private final byte[] password;
  private final int abandonedAtLook;
  private final List<DigestResult> results = new ArrayList<>();
  private int looks;

  /**
   * @param abandonedAtLook the call of {@link #abandoned} that first says yes, from 1
   */
  TestJob(BcryptSetting setting, byte[] password, int abandonedAtLook) {
    this.setting = setting;
    this.password = password;
    this.abandonedAtLook = abandonedAtLook;
  }

  static TestJob of(String setting, byte[] password) {
    return new TestJob(BcryptSetting.parse(setting), password, NEVER);
  }

  /** How many times the engine has asked {@link #abandoned}. */
  int looks() {
    return looks;
  }

  int abandonedAtLook() {
    return abandonedAtLook;
  }

  /** Every call of {@link #end}; a sound engine leaves exactly one. */
  List<DigestResult> results() {
    return results;
  }

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
    looks++;
    return looks >= abandonedAtLook;
  }

  @Override
  public void end(DigestResult result) {
    results.add(result);
  }

  @Override
  public String toString() {
    return setting + ", " + password.length + " bytes, abandoned at look " + abandonedAtLook;
  }
}
