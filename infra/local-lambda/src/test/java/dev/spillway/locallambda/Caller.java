package dev.spillway.locallambda;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/** A plain HTTP client of the Invoke API: what the wire shows, no SDK in between. */
record Caller(URI endpoint) {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static Caller of(LocalLambda lambda) {
    return new Caller(lambda.endpoint());
  }

  HttpResponse<String> invoke(String body) {
    return send(invocation(FakeFunction.NAME, body));
  }

  /** The pid that the fake function answers with. */
  long pid() {
    return Long.parseLong(invoke("\"pid\"").body().strip());
  }

  CompletableFuture<HttpResponse<String>> begin(String body) {
    return begin(FakeFunction.NAME, body);
  }

  CompletableFuture<HttpResponse<String>> begin(String reference, String body) {
    return HTTP.sendAsync(
        invocation(reference, body).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpRequest.Builder invocation(String reference, String body) {
    return HttpRequest.newBuilder(
            endpoint.resolve("/2015-03-31/functions/" + reference + "/invocations"))
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(endpoint.resolve(path)));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
