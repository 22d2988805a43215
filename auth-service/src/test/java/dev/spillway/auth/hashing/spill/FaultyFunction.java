package dev.spillway.auth.hashing.spill;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.Options;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

/** A function of which tests decide how it misbehaves. */
final class FaultyFunction implements AutoCloseable {
  static final String DIGEST = "7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy";
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  private final String address;
  private final WireMockServer server;
  private final List<Integer> jobsOfCalls = new CopyOnWriteArrayList<>();
  private volatile Semaphore gate = open();

  FaultyFunction() {
    this("127.0.0.1");
  }

  /**
   * @param address of this machine, where it listens
   */
  FaultyFunction(String address) {
    this.address = address;
    server =
        new WireMockServer(
            options()
                .dynamicPort()
                .bindAddress(address)
                .containerThreads(64)
                .useChunkedTransferEncoding(Options.ChunkedEncodingPolicy.NEVER)
                .extensions(new Digests()));
    server.start();
    computes();
  }

  URI url() {
    return URI.create("http://" + address + ":" + server.port() + "/");
  }

  WireMockServer server() {
    return server;
  }

  /** Calls that arrived. */
  int calls() {
    return jobsOfCalls.size();
  }

  List<Integer> jobsOfCalls() {
    return jobsOfCalls;
  }

  void computes() {
    answers(aResponse());
  }

  void computesIn(Duration time) {
    answers(aResponse().withFixedDelay((int) time.toMillis()));
  }

  void fails(int status) {
    answers(aResponse().withStatus(status).withBody("no"));
  }

  /** Computes unless a status, a body or a fault is set. */
  void answers(ResponseDefinitionBuilder response) {
    server.resetMappings();
    server.stubFor(any(anyUrl()).willReturn(response));
  }

  /** From now on every answer needs {@link #letOne}. */
  void hold() {
    gate = new Semaphore(0);
  }

  void letOne() {
    gate.release();
  }

  void letAll() {
    Semaphore old = gate;
    gate = open();
    old.release(1_000_000);
  }

  @Override
  public void close() {
    letAll();
    server.stop();
  }

  private static Semaphore open() {
    return new Semaphore(Integer.MAX_VALUE / 2);
  }

  private final class Digests implements ResponseDefinitionTransformerV2 {
    @Override
    public String getName() {
      return "digests";
    }

    @Override
    public ResponseDefinition transform(ServeEvent event) {
      List<String> results =
          ID.matcher(event.getRequest().getBodyAsString())
              .results()
              .map(id -> "{\"id\":\"" + id.group(1) + "\",\"digest\":\"" + DIGEST + "\"}")
              .toList();
      jobsOfCalls.add(results.size());
      gate.acquireUninterruptibly();
      ResponseDefinition stubbed = event.getResponseDefinition();
      if (stubbed.getStatus() != 200
          || stubbed.getFault() != null
          || stubbed.specifiesBodyContent()) {
        return stubbed;
      }
      return ResponseDefinitionBuilder.like(stubbed)
          .withBody("{\"v\":1,\"results\":[" + String.join(",", results) + "]}")
          .build();
    }
  }
}
