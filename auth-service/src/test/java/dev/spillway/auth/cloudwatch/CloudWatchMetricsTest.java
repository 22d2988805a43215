package dev.spillway.auth.cloudwatch;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.spillway.auth.Api;
import dev.spillway.auth.Spilling;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What arrives at CloudWatch, read off the wire. */
@QuarkusTest
@TestProfile(Spilling.class)
class CloudWatchMetricsTest {
  private static final String ENDPOINT = "aws.endpointUrlCloudWatch";
  private static final String REGION = "aws.region";
  private static final byte[] EMPTY_MAP = {(byte) 0xbf, (byte) 0xff};

  @Inject MeterRegistry all;

  private final Queue<JsonNode> requests = new ConcurrentLinkedQueue<>();
  private HttpServer cloudWatch;

  @BeforeEach
  void open() throws IOException {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    cloudWatch = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    cloudWatch.createContext("/", this::answer);
    cloudWatch.start();
    System.setProperty(ENDPOINT, "http://127.0.0.1:" + cloudWatch.getAddress().getPort());
    System.setProperty(REGION, "eu-central-1");
  }

  @AfterEach
  void close() {
    cloudWatch.stop(0);
    System.clearProperty(ENDPOINT);
    System.clearProperty(REGION);
  }

  @Test
  void whatTheTemplateScalesBy_isSent_andNothingElse() throws Exception {
    var metrics = new CloudWatchMetrics(() -> Optional.of("login"), all, new OneMinute());
    metrics.start(new StartupEvent());
    Api.login("nobody", "a password").then().statusCode(401);
    metrics.stop(new ShutdownEvent());

    assertThat(requests).isNotEmpty();
    assertThat(requests)
        .allSatisfy(it -> assertThat(it.get("Namespace").asText()).isEqualTo("Spillway"));
    Map<String, Double> sent = sent();
    assertThat(sent).containsEntry("spillway.hashing.count {path=local, service=login}", 1.0);
    assertThat(sent.keySet()).containsAll(wantedByTheTemplate());
    assertThat(sent.keySet())
        .allMatch(it -> it.matches("spillway\\.(hashing|pool\\.wait|spill\\.misconfigured)\\..*"));
  }

  @Test
  void withoutAName_nothingIsSent() {
    var metrics = new CloudWatchMetrics(Optional::empty, all);
    metrics.start(new StartupEvent());
    metrics.stop(new ShutdownEvent());

    assertThat(requests).isEmpty();
  }

  /** Name and dimensions, to what the values add up to. */
  private Map<String, Double> sent() {
    Map<String, Double> sent = new TreeMap<>();
    for (JsonNode request : requests) {
      for (JsonNode datum : request.get("MetricData")) {
        Map<String, String> dimensions = new TreeMap<>();
        datum
            .get("Dimensions")
            .forEach(it -> dimensions.put(it.get("Name").asText(), it.get("Value").asText()));
        sent.merge(
            datum.get("MetricName").asText() + " " + dimensions,
            datum.get("Value").asDouble(),
            Double::sum);
      }
    }
    return sent;
  }

  /** The metrics of the template's alarms; its target is called main, the one here fake. */
  private static Set<String> wantedByTheTemplate() throws IOException {
    String template = Files.readString(Path.of("../infra/auth-service.yaml"));
    Set<String> wanted =
        Pattern.compile(
                "MetricName: (spillway\\S+)\\s+Dimensions: \\[\\{Name: service, Value: !Ref"
                    + " AWS::StackName}, \\{Name: (\\w+), Value: (\\w+)}]")
            .matcher(template)
            .results()
            .map(CloudWatchMetricsTest::key)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(wanted).hasSize(6);
    return wanted;
  }

  private static String key(MatchResult metric) {
    var dimensions = new TreeMap<>(Map.of("service", "login"));
    dimensions.put(metric.group(2), metric.group(3).replace("main", "fake"));
    return metric.group(1) + " " + dimensions;
  }

  /** In the first milliseconds of a minute, Micrometer would lose what the last one has been. */
  private static final class OneMinute implements Clock {
    private final long millis = System.currentTimeMillis();

    @Override
    public long wallTime() {
      return millis;
    }

    @Override
    public long monotonicTime() {
      return System.nanoTime();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      try (InputStream body =
          zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
        requests.add(new CBORMapper().readTree(body));
      }
      exchange.getResponseHeaders().add("Content-Type", "application/cbor");
      exchange.getResponseHeaders().add("smithy-protocol", "rpc-v2-cbor");
      exchange.sendResponseHeaders(200, EMPTY_MAP.length);
      exchange.getResponseBody().write(EMPTY_MAP);
    }
  }
}
