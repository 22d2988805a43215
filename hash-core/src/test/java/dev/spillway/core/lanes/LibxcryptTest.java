package dev.spillway.core.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.spillway.core.bcrypt.BcryptBase64;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.BcryptVersion;
import dev.spillway.core.bcrypt.DigestJob;
import dev.spillway.core.bcrypt.DigestResult.Digested;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lanes compute what libxcrypt computes, {@code $2a$} and its countermeasure included. Skipped
 * where the system has no libxcrypt.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LibxcryptTest {
  private static final long SEED = 20_260_114;

  /** 10,000 over all numbers of lanes. */
  private static final int JOBS = 2_000;

  /** Bytes of which sign extension makes collisions; drawn often. */
  private static final byte[] TREACHEROUS = {-1, -1, (byte) 0xa3, (byte) 0x80, 0x33, 0x34};

  private Libxcrypt libxcrypt;

  @BeforeAll
  void open() {
    try {
      libxcrypt = new Libxcrypt();
    } catch (IllegalArgumentException e) {
      abort("no libxcrypt on this system: " + e.getMessage());
    }
  }

  @AfterAll
  void close() {
    if (libxcrypt != null) {
      libxcrypt.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void randomInput_comesToTheSame(int lanes) {
    Random random = new Random(SEED + lanes);
    List<TestJob> jobs = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      jobs.add(new TestJob(setting(random), password(random), TestJob.NEVER));
    }
    ArrayDeque<DigestJob> waiting = new ArrayDeque<>(jobs);

    new LaneDigestEngine(lanes).run(waiting.remove(), waiting::poll);

    for (TestJob job : jobs) {
      String expected = libxcrypt.crypt(job.password(), job.setting().toString());
      assertThat(job.results())
          .as("%s", job)
          .singleElement()
          .isInstanceOfSatisfying(
              Digested.class,
              digested -> assertThat(job.setting() + digested.digest().text()).isEqualTo(expected));
    }
  }

  private static BcryptSetting setting(Random random) {
    byte[] salt = new byte[16];
    random.nextBytes(salt);
    BcryptVersion[] versions = BcryptVersion.values();
    return new BcryptSetting(
        versions[random.nextInt(versions.length)],
        random.nextInt(10) == 0 ? 5 : 4, // so that lanes do not end together
        BcryptBase64.encode(salt));
  }

  private static byte[] password(Random random) {
    byte[] password = new byte[random.nextInt(73)];
    boolean treacherous = random.nextBoolean();
    for (int i = 0; i < password.length; i++) {
      password[i] =
          treacherous
              ? TREACHEROUS[random.nextInt(TREACHEROUS.length)]
              : (byte) (1 + random.nextInt(255));
    }
    return password;
  }
}
