package dev.spillway.locallambda;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Optional;

/** Demands of every caller a signature by one key pair, in the words in which AWS demands it. */
final class SignedCaller implements CallerCheck {
  private final KeyPair keyPair;
  private final String region;
  private final CallerCheck time;

  /**
   * @param time what is minded about when it was signed
   */
  SignedCaller(KeyPair keyPair, String region, CallerCheck time) {
    this.keyPair = keyPair;
    this.region = region;
    this.time = time;
  }

  @Override
  public Optional<ServiceError> refusal(HttpExchange exchange, byte[] body) {
    Headers headers = exchange.getRequestHeaders();
    String authorization = headers.getFirst("Authorization");
    if (authorization == null) {
      return Optional.of(ServiceError.unsigned());
    }
    String date = headers.getFirst("X-Amz-Date");
    Optional<Signature> stated = Signature.of(authorization);
    if (stated.isEmpty() || date == null) {
      return Optional.of(ServiceError.incompleteSignature());
    }
    Signature signature = stated.get();
    if (!signature.accessKey().equals(keyPair.id())) {
      return Optional.of(ServiceError.unknownKey());
    }
    return time.refusal(exchange, body)
        .or(() -> misplaced(signature, date))
        .or(() -> unfit(signature, exchange, body));
  }

  private Optional<ServiceError> misplaced(Signature signature, String date) {
    String why = null;
    if (!signature.service().equals("lambda")) {
      why = "Credential should be scoped to correct service: 'lambda'.";
    } else if (!signature.region().equals(region)) {
      why = "Credential should be scoped to a valid region.";
    } else if (!date.startsWith(signature.date())) {
      why = "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date.";
    } else if (!signature.signedHeaders().containsAll(List.of("host", "x-amz-date"))) {
      why = "'Host' must be a 'SignedHeader' in the AWS Authorization.";
    }
    return Optional.ofNullable(why).map(ServiceError::invalidSignature);
  }

  private Optional<ServiceError> unfit(Signature signature, HttpExchange exchange, byte[] body) {
    Headers headers = exchange.getRequestHeaders();
    // Of a body over the limit only the beginning is here, and the limit refuses it.
    boolean whole = body.length <= InvocationType.REQUEST_RESPONSE.limit();
    boolean fits =
        !whole
            || (Signature.bodyIsTheSigned(headers, body)
                && signature.fits(
                    keyPair.secret(),
                    exchange.getRequestMethod(),
                    exchange.getRequestURI(),
                    headers,
                    body));
    return fits ? Optional.empty() : Optional.of(ServiceError.wrongSignature());
  }
}
