package dev.spillway.core.wire;

import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A request to the function: digests to compute. It has no stored digest, so the function cannot
 * know or decide whether a login succeeds.
 *
 * @param jobs up to {@value #MAX_JOBS}, their ids distinct
 */
public record DigestRequest(List<Job> jobs) {
  /** Jobs of one invocation; bounds its memory and its time. */
  public static final int MAX_JOBS = 16;

  public DigestRequest {
    jobs = List.copyOf(jobs);
    if (jobs.size() > MAX_JOBS) {
      throw new IllegalArgumentException("over " + MAX_JOBS + " jobs");
    }
    Set<String> ids = new HashSet<>();
    for (Job job : jobs) {
      if (!ids.add(job.id())) {
        throw new IllegalArgumentException("two jobs of one id");
      }
    }
  }

  /** Overwrites the passwords; the request is of no use afterwards. */
  public void wipe() {
    jobs.forEach(job -> Arrays.fill(job.password, (byte) 0));
  }

  /** One digest to compute. */
  public static final class Job {
    /** Longest id, in characters. */
    public static final int MAX_ID_LENGTH = 64;

    private final String id;
    private final BcryptSetting setting;
    private final byte[] password;

    /**
     * @param id names the answer; 1 to {@value #MAX_ID_LENGTH} letters, digits, {@code -} or {@code
     *     _}
     * @param password at most 72 bytes; kept, not copied, so that it can be wiped
     */
    public Job(String id, BcryptSetting setting, byte[] password) {
      if (!isId(id)) {
        throw new IllegalArgumentException("not a job id");
      }
      if (password.length > BcryptHash.MAX_PASSWORD_BYTES) {
        throw new IllegalArgumentException("password over 72 bytes");
      }
      this.id = id;
      this.setting = Objects.requireNonNull(setting, "setting");
      this.password = password;
    }

    public String id() {
      return id;
    }

    public BcryptSetting setting() {
      return setting;
    }

    /** The bytes themselves, not a copy. */
    public byte[] password() {
      return password;
    }

    @Override
    public String toString() {
      return "Job[" + id + ", cost " + setting.cost() + ", password hidden]";
    }

    static boolean isId(String text) {
      if (text.isEmpty() || text.length() > MAX_ID_LENGTH) {
        return false;
      }
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean allowed =
            (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '-'
                || c == '_';
        if (!allowed) {
          return false;
        }
      }
      return true;
    }
  }
}
