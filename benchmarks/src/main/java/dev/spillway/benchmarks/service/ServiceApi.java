package dev.spillway.benchmarks.service;

import java.util.function.Function;

/**
 * How a service is asked.
 *
 * @param loginPath where a caller's login is posted
 * @param loginBody what is posted
 * @param managementPort where {@code ready} and {@code health} are answered; 0 if on the service's
 *     own
 */
record ServiceApi(
    Function<Caller, String> loginPath,
    String contentType,
    Function<Caller, byte[]> loginBody,
    int managementPort,
    String ready,
    String health,
    String keys) {

  /** Ours, and the naive service's. */
  static final ServiceApi SPILLWAY =
      new ServiceApi(
          _ -> "/login",
          "application/json",
          Caller::loginBody,
          0,
          "/q/health/ready",
          Service.HEALTH,
          Service.JWKS);
}
