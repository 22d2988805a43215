package dev.spillway.auth.hashing.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetAddressTest {
  private static final String KEY = "spillway.spill.targets.one";
  private static final String ARN = "arn:aws:lambda:eu-west-3:123456789012:function:digest";

  @ParameterizedTest
  @ValueSource(strings = {"digest", "digest:live", "digest:7", "digest:$LATEST", "a_b-C9"})
  void name_isCalledInItsRegion(String function) {
    TargetAddress address = address(function, "eu-central-1", null);
    assertThat(address.function()).isEqualTo(function);
    assertThat(address.region()).isEqualTo("eu-central-1");
    assertThat(address.endpoint())
        .isEqualTo(URI.create("https://lambda.eu-central-1.amazonaws.com"));
  }

  @ParameterizedTest
  @ValueSource(strings = {ARN, ARN + ":live"})
  void arn_bringsItsRegion(String arn) {
    TargetAddress address = address(arn, null, null);
    assertThat(address.function()).isEqualTo(arn);
    assertThat(address.region()).isEqualTo("eu-west-3");
    assertThat(address.endpoint()).isEqualTo(URI.create("https://lambda.eu-west-3.amazonaws.com"));
  }

  @Test
  void partitionOfChina_hasADomainOfItsOwn() {
    assertThat(address("digest", "cn-north-1", null).endpoint())
        .isEqualTo(URI.create("https://lambda.cn-north-1.amazonaws.com.cn"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"digest", "digest:live", "123456789012:function:digest"})
  void nameWithoutRegion_isRefused(String function) {
    assertRefused(function, null, null, ".region");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "EU", "eu central", "eu/central", "eu.evil.test", "eu@evil"})
  void regionThatIsNone_isRefused(String region) {
    assertRefused("digest", region, null, ".region");
    assertRefused(ARN.replace("eu-west-3", region), null, null, KEY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "a/b",
        "../digest",
        "a?b",
        "a#b",
        "a%2fb",
        "a\nb",
        "\u00e9",
        "https://abc.lambda-url.eu-central-1.on.aws/",
      })
  void functionThatIsNoName_isRefused(String function) {
    assertRefused(function, "eu-central-1", null, ".function");
  }

  @Test
  void overlongName_isRefused() {
    assertRefused("f".repeat(171), "eu-central-1", null, ".function");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://lambda.test",
        "https://10.0.0.1:8443",
        "http://localhost:9001",
        "http://127.0.0.1:9001",
        "http://127.8.9.10",
        "http://[::1]:9001",
      })
  void endpoint_isHttpsOrLoopback(String endpoint) {
    assertThat(address("digest", "eu-central-1", endpoint).endpoint())
        .isEqualTo(URI.create(endpoint));
  }

  @ParameterizedTest
  @CsvSource({
    "http://lambda.test",
    "http://10.0.0.1:9001",
    "http://0.0.0.0:9001",
    "http://localhost.evil.test",
    "http://127.0.0.1.evil.test",
    "http://[::2]",
    "http://169.254.169.254",
    "ftp://localhost",
    "localhost:9001",
    "//localhost",
    "/path",
    "https:///path",
  })
  void anyOtherEndpoint_isRefused(String endpoint) {
    assertRefused("digest", "eu-central-1", endpoint, ".endpoint");
  }

  @Test
  void invocation_isAddressedWithNothingLeftToGuess() {
    assertThat(address(ARN + ":$LATEST", null, "https://lambda.test/").call())
        .isEqualTo(
            URI.create(
                "https://lambda.test/2015-03-31/functions/"
                    + "arn%3Aaws%3Alambda%3Aeu-west-3%3A123456789012%3Afunction%3Adigest%3A%24LATEST"
                    + "/invocations"));
  }

  private static void assertRefused(String function, String region, String endpoint, String named) {
    assertThatThrownBy(() -> address(function, region, endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(KEY)
        .hasMessageContaining(named);
  }

  private static TargetAddress address(String function, String region, String endpoint) {
    return TargetAddress.of(
        "one",
        new SpillCalls.Target(
            function,
            Optional.ofNullable(region),
            Optional.ofNullable(endpoint).map(URI::create),
            50));
  }
}
