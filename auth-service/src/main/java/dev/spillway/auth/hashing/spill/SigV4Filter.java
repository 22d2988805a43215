package dev.spillway.auth.hashing.spill;

import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * Signs a request by AWS Signature Version 4. The entity must be the bytes themselves: Quarkus
 * writes entities after all filters, so anything else would be signed as something it is not.
 */
final class SigV4Filter implements ClientRequestFilter {
  private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();

  private final AwsCredentialsProvider credentials;
  private final String region;

  SigV4Filter(AwsCredentialsProvider credentials, String region) {
    this.credentials = credentials;
    this.region = region;
  }

  @Override
  public void filter(ClientRequestContext context) {
    byte[] body = (byte[]) context.getEntity();
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
                    .identity(credentials.resolveCredentials())
                    .request(unsigned)
                    .payload(() -> new ByteArrayInputStream(body))
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
