package dev.spillway.auth.hashing.spill;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import dev.spillway.auth.Spilling;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.wire.DigestIntake;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireException;
import dev.spillway.core.wire.WireFormat;
import java.util.List;

/** A Lambda endpoint that computes, or fails as a test says. */
public final class FakeFunction implements AutoCloseable {
  private static final String COMPUTES = "computes";
  private static final Answer RIGHT = FakeFunction::right;

  private final WireMockServer server;
  private volatile Answer answer = RIGHT;
  private volatile Opener opener = Opener.none();

  /** The body of a 200 for the first job of a call and its right digest. */
  @FunctionalInterface
  interface Answer {
    String to(DigestRequest.Job job, String digest);
  }

  private FakeFunction(int port) {
    server =
        new WireMockServer(
            options()
                .port(port)
                .containerThreads(Spilling.MAX_OUTSTANDING + 16)
                .extensions(new Computing()));
    server.start();
    computes();
  }

  /** Where {@link Spilling} says it is. */
  public static FakeFunction start() {
    return new FakeFunction(Spilling.endpoint().getPort());
  }

  /** From now on it does what it is there for. */
  public void computes() {
    answers(RIGHT);
  }

  /** Likewise, and reads passwords as this one lets it. */
  void computes(Opener with) {
    opener = with;
    computes();
  }

  void answers(Answer body) {
    answer = body;
    answers(
        aResponse()
            .withStatus(200)
            .withHeader("Content-Type", "application/json")
            .withTransformers(COMPUTES));
  }

  void answers(ResponseDefinitionBuilder response) {
    server.resetMappings();
    server.stubFor(post(anyUrl()).willReturn(response));
  }

  /** What has come in since {@link #forget}. */
  List<LoggedRequest> requests() {
    return server.findAll(
        com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor(anyUrl()));
  }

  public int count() {
    return requests().size();
  }

  public void forget() {
    server.resetRequests();
  }

  /** Well formed, under the right id, and of another password. */
  public void answersWithAnotherDigest() {
    answers((job, digest) -> right(job, "uG0VCzI2bS7j6ymqJi9CdcdxiRTWNyO"));
  }

  static String right(DigestRequest.Job job, String digest) {
    return results(result(job.id(), digest));
  }

  static String results(String... results) {
    return "{\"v\":1,\"results\":[" + String.join(",", results) + "]}";
  }

  static String result(String id, String digest) {
    return "{\"id\":\"%s\",\"digest\":\"%s\"}".formatted(id, digest);
  }

  @Override
  public void close() {
    server.stop();
  }

  private final class Computing implements ResponseDefinitionTransformerV2 {
    @Override
    public ResponseDefinition transform(ServeEvent event) {
      try {
        DigestIntake intake = WireFormat.readRequest(event.getRequest().getBody(), 12, opener);
        if (intake.runnable().isEmpty()) {
          return ResponseDefinitionBuilder.like(event.getResponseDefinition())
              .withBody(WireFormat.write(new DigestReply(List.copyOf(intake.declined()))))
              .build();
        }
        DigestRequest.Job first = intake.runnable().getFirst();
        String body =
            answer == RIGHT
                ? results(
                    intake.runnable().stream()
                        .map(job -> result(job.id(), digest(job)))
                        .toArray(String[]::new))
                : answer.to(first, digest(first));
        return ResponseDefinitionBuilder.like(event.getResponseDefinition()).withBody(body).build();
      } catch (WireException e) {
        return aResponse().withStatus(500).withBody(e.getMessage()).build();
      }
    }

    private String digest(DigestRequest.Job job) {
      return new SpringDigestEngine().digest(job.setting(), job.password()).text();
    }

    @Override
    public boolean applyGlobally() {
      return false;
    }

    @Override
    public String getName() {
      return COMPUTES;
    }
  }
}
