package dev.spillway.hashing.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashPriorityTest {
  /** Fields 19 (nice) and 41 (policy) of the thread's own stat, see proc(5). */
  @ParameterizedTest
  @EnabledOnOs(OS.LINUX)
  @CsvSource({"LOWERED, 3", "NORMAL, 0"})
  void priority_isThePolicyTheKernelReports_andTheWeightStaysNormal(
      HashPriority priority, int policy) throws Exception {
    assertThat(priority.works()).isTrue();
    int own = Integer.parseInt(stat()[19 - 3]); // other than 0 where the build itself is nice
    CompletableFuture<String[]> seen = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              priority.applyToCallingThread();
              seen.complete(stat());
            })
        .join();
    String[] afterName = seen.get();
    assertThat(Integer.parseInt(afterName[19 - 3])).isEqualTo(own);
    assertThat(Integer.parseInt(afterName[41 - 3])).isEqualTo(policy);
  }

  private static String[] stat() {
    try {
      String text = Files.readString(Path.of("/proc/thread-self/stat"));
      return text.substring(text.lastIndexOf(')') + 2).split(" ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
