package dev.spillway.auth.http;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.RawClient;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** M1: no series that a client named. */
@QuarkusTest
@Timeout(120)
class HostileLabelsTest {
  /** In every text below, and in no label of ours. */
  private static final String MARK = "zq7";

  private static final int REQUESTS = 10_000;
  private static final int AT_ONCE = 50;

  @Inject MeterRegistry meters;

  @Test
  void m1_hostileRequests_nameNoSeries() throws IOException {
    given().get("/q/health/live");
    given().get("/probe/me");
    for (int i = 0; i < REQUESTS; i += AT_ONCE) {
      try (RawClient client = new RawClient(RestAssured.port)) {
        StringBuilder requests = new StringBuilder();
        for (int j = i; j < i + AT_ONCE; j++) {
          requests.append(hostile(j));
        }
        client.sendRaw(requests.toString());
        for (int j = 0; j < AT_ONCE; j++) {
          client.answer();
        }
      }
    }
    // And some that are broken off before they are answered.
    for (int i = 0; i < 100; i++) {
      try (RawClient client = new RawClient(RestAssured.port)) {
        client.sendRaw(
            "%s%d /%s%d HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
                .formatted(MARK.toUpperCase(java.util.Locale.ROOT), i, MARK, i));
        client.reset();
      }
    }
    await().until(() -> count("OTHER") > 0);
    assertThat(labels())
        .noneMatch(label -> label.toLowerCase(java.util.Locale.ROOT).contains(MARK));
    assertThat(meters.getMeters().size()).as("all that there is").isLessThan(1_500);
    assertThat(given().get("/q/metrics").asString().toLowerCase(java.util.Locale.ROOT))
        .doesNotContain(MARK);
  }

  private static String hostile(int i) {
    String mark = MARK + i;
    String upper = mark.toUpperCase(java.util.Locale.ROOT);
    String end = "Host: x\r\nContent-Length: 0\r\n\r\n";
    return switch (i % 10) {
      case 0 -> upper + " /login HTTP/1.1\r\n" + end;
      case 1 -> "GET /" + mark + " HTTP/1.1\r\n" + end;
      case 2 -> "GET //" + mark + " HTTP/1.1\r\n" + end;
      case 3 -> "GET /probe/" + mark + " HTTP/1.1\r\n" + end;
      case 4 -> "GET /q/health/" + mark + " HTTP/1.1\r\n" + end;
      case 5 -> "GET /q/swagger-ui/" + mark + " HTTP/1.1\r\n" + end;
      case 6 -> "OPTIONS /" + mark + " HTTP/1.1\r\nOrigin: http://" + mark + "\r\n" + end;
      case 7 ->
          "GET /q/health/live HTTP/1.1\r\nHost: "
              + mark
              + "\r\nContent-Length: 0\r\nUser-Agent: "
              + mark
              + "\r\nX-Forwarded-For: "
              + mark
              + "\r\n\r\n";
      case 8 ->
          "PUT /users/"
              + mark
              + "/password HTTP/1.1\r\nAuthorization: Bearer "
              + mark
              + "\r\n"
              + end;
      default -> "GET /%7B" + mark + "%7D?" + mark + " HTTP/1.1\r\n" + end;
    };
  }

  private double count(String uri) {
    return meters.find("http.server.requests").tag("uri", uri).timers().stream()
        .mapToLong(timer -> timer.count())
        .sum();
  }

  private List<String> labels() {
    return meters.getMeters().stream()
        .map(Meter::getId)
        .flatMap(id -> id.getTags().stream().map(Tag::getValue))
        .distinct()
        .collect(Collectors.toList());
  }
}
