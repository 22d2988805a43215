package dev.spillway.hashing.spill.wire;

/** Why a {@link Transport} brings no reply back. It says nothing about the password. */
public final class TransportFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final SpillAnswer.Reason reason;

  /**
   * @param reason what the target's state is, as far as this failure tells
   */
  public TransportFailure(SpillAnswer.Reason reason) {
    super(reason.label(), null, false, false);
    if (reason.beforeAnyCall()) {
      throw new IllegalArgumentException(reason + " is decided before a transport is asked");
    }
    this.reason = reason;
  }

  public SpillAnswer.Reason reason() {
    return reason;
  }
}
