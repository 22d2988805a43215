package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** S1: a start that cannot succeed says why in a few lines, before it has made anything. */
@Timeout(180)
class FailedStartIT {
  /** The first two are Hibernate Validator's. */
  private static final int FEW = 5;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "spillway.spill.targets.a.function=digest, spillway.spill.targets.a.region is needed",
    "spillway.spill.sealing.use=k1, spillway.spill.sealing.use names a key",
    "spillway.pool.enqueue-timeout=25, spillway.pool.enqueue-timeout must be",
    "spillway.throttle.exempt=10.0.0.0/99, spillway.throttle.exempt has an entry",
  })
  void s1_impossibleSetting_isNamed_andNothingIsMade(String setting, String why) throws Exception {
    assertFailed(why, "-D" + setting);
  }

  @Test
  void s1_databaseThatRefuses_isSaidInFewLines() throws Exception {
    assertFailed(
        "The database cannot be used: Connection to 127.0.0.1:1 refused.",
        "-Dspillway.database.kind=postgresql",
        "-Dspillway.database.url=jdbc:postgresql://127.0.0.1:1/none");
  }

  private void assertFailed(String why, String... settings)
      throws IOException, InterruptedException {
    Path data = directory.resolve("data");
    File log = directory.resolve("log").toFile();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + Running.freePort(),
                "-Dspillway.data-dir=" + data));
    command.addAll(List.of(settings));
    command.add("-jar");
    command.add(Running.HOME.resolve("auth-service/target/quarkus-app/quarkus-run.jar").toString());
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ended").isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(log.toPath());
    assertThat(String.join("\n", lines)).contains(why).doesNotContain("\tat ");
    assertThat(lines).hasSizeLessThanOrEqualTo(FEW);
    assertThat(data).doesNotExist();
  }
}
