package dev.spillway.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.seal.SealKeys;
import dev.spillway.core.seal.Sealer;
import dev.spillway.core.wire.DigestRequest;
import dev.spillway.core.wire.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestHandlerTest {
  private static final String REQUEST =
      "{\"v\":1,\"jobs\":[{\"id\":\"0\",\"setting\":\"$2b$05$CCCCCCCCCCCCCCCCCCCCC.\","
          + "\"password\":\"\"}]}";
  private static final String REPLY =
      "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":\"7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy\"}]}";

  @Test
  void request_isAnsweredBare() throws IOException {
    assertThat(answer(REQUEST)).isEqualTo(REPLY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"version\":\"1.0\",\"body\":\"{}\"}",
        "{\"version\":\"2.0\"}",
        "{\"version\":\"2.0\",\"body\":null}",
        "{\"version\":\"2.0\",\"body\":\"{}\"}",
        "{\"version\":\"2.0\",\"body\":\"s3cret\"}",
        "{\"version\":\"2.0\",\"body\":\"s3cret\",\"isBase64Encoded\":true}",
        "{\"version\":\"2.0\",\"body\":\"s3cr\u00e9t\"}",
      })
  void anythingElse_isRefusedWithoutAWordOfIt(String event) {
    assertThatThrownBy(() -> answer(event))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageNotContaining("s3cr");
  }

  @Test
  void overlongEvent_isRefused() {
    assertThatThrownBy(() -> answer(" ".repeat(20_000) + REQUEST))
        .isInstanceOf(MalformedRequestException.class);
  }

  @Test
  void sealedRequest_isComputed_andOneInClearIsDeclined_whereSealingIsRequired()
      throws IOException {
    String text = "{\"a\":\"%s\"}".formatted("0f".repeat(32));
    Sealer sealer = new Sealer(SealKeys.parse(text), "a", InstantSource.system());
    BcryptSetting setting = BcryptSetting.parse("$2b$05$CCCCCCCCCCCCCCCCCCCCC.");
    byte[] sealed =
        WireFormat.write(
            new DigestRequest(List.of(new DigestRequest.Job("0", setting, new byte[0]))), sealer);
    String clear = new String(sealed, StandardCharsets.UTF_8);
    FunctionConfig config = new Defaults(Optional.of(text), true);

    assertThat(answer(clear, config)).isEqualTo(REPLY);
    assertThat(answer(REQUEST, config))
        .isEqualTo("{\"v\":1,\"results\":[{\"id\":\"0\",\"error\":\"unsealed\"}]}");
    assertThat(answer(clear))
        .isEqualTo("{\"v\":1,\"results\":[{\"id\":\"0\",\"error\":\"unknown_seal_key\"}]}");
  }

  private static String answer(String event) throws IOException {
    return answer(event, new Defaults());
  }

  private static String answer(String event, FunctionConfig config) throws IOException {
    DigestHandler handler = new DigestHandler(new SpringDigestEngine(), config);
    byte[] bytes = event.getBytes(StandardCharsets.UTF_8);
    try {
      return new String(handler.answer(bytes, Duration.ofMinutes(1)), StandardCharsets.UTF_8);
    } finally {
      assertThat(bytes).as("wiped").containsOnly(0);
    }
  }

  private record Defaults(
      int maxCost, Duration reserve, Engine engine, int lanes, FunctionConfig.Sealing sealing)
      implements FunctionConfig {
    Defaults() {
      this(Optional.empty(), false);
    }

    Defaults(Optional<String> keys, boolean required) {
      this(
          15,
          Duration.ofMillis(250),
          Engine.SPRING,
          1,
          new FunctionConfigTest.Seals(keys, required, Duration.ofMinutes(1)));
    }
  }
}
