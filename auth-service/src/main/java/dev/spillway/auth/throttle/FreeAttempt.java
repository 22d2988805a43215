package dev.spillway.auth.throttle;

import dev.spillway.auth.hashing.spend.Standing;
import dev.spillway.hashing.deadline.Deadline;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/** An attempt from where nobody is throttled. */
final class FreeAttempt implements Attempt {
  @Override
  public String columns() {
    return "";
  }

  @Override
  public String join() {
    return "";
  }

  @Override
  public void bind(PreparedStatement query, int from) {}

  @Override
  public void row(ResultSet row) {}

  @Override
  public void lookUp() {}

  @Override
  public Admission admit(Deadline deadline) {
    return new Admission.Admitted();
  }

  @Override
  public Standing standing() {
    return Standing.AT_HOME;
  }

  @Override
  public void right() {}

  @Override
  public void wrong() {}

  @Override
  public void abandoned() {}

  @Override
  public void close() {}
}
