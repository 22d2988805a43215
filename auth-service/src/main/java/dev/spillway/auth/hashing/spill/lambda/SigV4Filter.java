package dev.spillway.auth.hashing.spill.lambda;

import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * Signs a request by AWS Signature Version 4. The entity must be the bytes themselves: Quarkus
 * writes entities after all filters, so anything else would be signed as something it is not.
 */
final class SigV4Filter implements ClientRequestFilter {
  private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();

  private final SigningCredentials credentials;
  private final SigningClock clock;
  private final String region;

  SigV4Filter(SigningCredentials credentials, SigningClock clock, String region) {
    this.credentials = credentials;
    this.clock = clock;
    this.region = region;
  }

  /**
   * @throws dev.spillway.hashing.spill.wire.TransportFailure if there are none to sign with
   */
  @Override
  public void filter(ClientRequestContext context) {
    byte[] body = (byte[]) context.getEntity();
    AwsCredentials identity = credentials.latest();
    SdkHttpFullRequest unsigned =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.fromValue(context.getMethod()))
            .uri(context.getUri())
            .putHeader("Content-Type", context.getMediaType().toString())
            .build();
    SignedRequest signed =
        SIGNER.sign(
            request ->
                request
                    .identity(identity)
                    .request(unsigned)
                    .payload(() -> new ByteArrayInputStream(body))
                    .putProperty(HttpSigner.SIGNING_CLOCK, clock.asClock())
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "lambda")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region));
    signed
        .request()
        .headers()
        .forEach(
            (name, values) -> {
              if (!name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                context.getHeaders().put(name, new ArrayList<>(values));
              }
            });
  }
}
