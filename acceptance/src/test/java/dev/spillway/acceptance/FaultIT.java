package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./spillway run --fault NAME}: a bad day to replay, and its end. */
@Timeout(180)
class FaultIT {
  private static final Pattern SWITCH = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/_local/fault");

  @Test
  void fault_isReplayed_andHealedWhereTheLauncherSays(@TempDir Path data) throws Exception {
    try (Running service = Running.start(data, "--fault", "fails-fast")) {
      // On a machine that others keep busy, one burst may be shed before a call could be made.
      await()
          .atMost(Duration.ofSeconds(90))
          .until(
              () -> {
                assertThat(Burst.of(service, 60, 20, () -> {}).others()).isEmpty();
                return calls(service, "function_error") > 0;
              });
      assertThat(calls(service, "computed")).isZero();
      Burst.assertWhole(service);

      heal(service);

      await()
          .atMost(Duration.ofSeconds(90))
          .until(
              () ->
                  Burst.of(service, 20, 0, () -> {}).others().isEmpty()
                      && calls(service, "computed") > 0);
    }
  }

  @Test
  void unknownFault_isMisuse() throws Exception {
    Process launcher =
        new ProcessBuilder(
                Running.HOME.resolve("spillway").toString(), "run", "--no-build", "--fault", "x")
            .redirectErrorStream(true)
            .start();
    String said = new String(launcher.getInputStream().readAllBytes());
    assertThat(launcher.waitFor()).isEqualTo(2);
    assertThat(said).contains("no such fault: x").contains("--fault help");
  }

  private static double calls(Running service, String outcome) throws Exception {
    return service.metric("spillway_spill_call_seconds_count", "outcome=\"" + outcome + "\"");
  }

  private static void heal(Running service) throws Exception {
    Matcher address = SWITCH.matcher(service.output());
    assertThat(address.find()).as(service.output()).isTrue();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest healed = HttpRequest.newBuilder(URI.create(address.group())).DELETE().build();
      assertThat(http.send(healed, HttpResponse.BodyHandlers.ofString()).body())
          .startsWith("{\"present\":null");
    }
  }
}
