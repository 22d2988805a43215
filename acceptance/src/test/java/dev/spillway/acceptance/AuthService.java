package dev.spillway.acceptance;

import java.net.http.HttpResponse;

/** An auth-service that runs, and what one does with it. */
interface AuthService {
  HttpResponse<String> get(String path, String... headers) throws Exception;

  HttpResponse<String> login(String login, String password) throws Exception;

  /** Sum over all lines of a metric whose labels contain {@code label}. */
  default double metric(String name, String label) throws Exception {
    return get("/q/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name) && line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
