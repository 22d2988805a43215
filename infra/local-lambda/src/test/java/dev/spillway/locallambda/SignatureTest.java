package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two examples that AWS published with the algorithm (Signature Version 4 test suite). */
class SignatureTest {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final String SCOPE = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request";

  /** get-vanilla. */
  @Test
  void emptyRequest_fits_andNothingElse() {
    Signature signature =
        signature(
            "host;x-amz-date", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");

    assertThat(signature.fits(SECRET, "GET", URI.create("/"), headers(), new byte[0])).isTrue();
    assertThat(signature.fits(SECRET + "x", "GET", URI.create("/"), headers(), new byte[0]))
        .isFalse();
    assertThat(signature.fits(SECRET, "POST", URI.create("/"), headers(), new byte[0])).isFalse();
    assertThat(signature.fits(SECRET, "GET", URI.create("/x"), headers(), new byte[0])).isFalse();
    assertThat(signature.fits(SECRET, "GET", URI.create("/?a"), headers(), new byte[0])).isFalse();
    assertThat(signature.fits(SECRET, "GET", URI.create("/"), headers(), new byte[1])).isFalse();
  }

  /** get-vanilla-query-order-key-case. */
  @Test
  void parameters_areOrderedByName() {
    Signature signature =
        signature(
            "host;x-amz-date", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");

    URI uri = URI.create("/?Param2=value2&Param1=value1");
    assertThat(signature.fits(SECRET, "GET", uri, headers(), new byte[0])).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Basic dXNlcjpwYXNz",
        "AWS4-HMAC-SHA256 Credential=a/b",
        "AWS4-HMAC-SHA256 Credential=" + SCOPE + ", SignedHeaders=host, Signature=12",
        "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=" + "0",
      })
  void whatIsNoSignature_isNone(String authorization) {
    assertThat(Signature.of(authorization)).isEmpty();
  }

  private static Signature signature(String signedHeaders, String hex) {
    Signature signature =
        Signature.of(
                "AWS4-HMAC-SHA256 Credential=%s, SignedHeaders=%s, Signature=%s"
                    .formatted(SCOPE, signedHeaders, hex))
            .orElseThrow();
    assertThat(signature)
        .returns("AKIDEXAMPLE", Signature::accessKey)
        .returns("20150830", Signature::date)
        .returns("us-east-1", Signature::region)
        .returns("service", Signature::service)
        .returns(List.of("host", "x-amz-date"), Signature::signedHeaders);
    return signature;
  }

  private static Headers headers() {
    Headers headers = new Headers();
    headers.set("Host", "example.amazonaws.com");
    headers.set("X-Amz-Date", "20150830T123600Z");
    return headers;
  }
}
