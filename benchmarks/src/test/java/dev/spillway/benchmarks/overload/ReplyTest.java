package dev.spillway.benchmarks.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyTest {
  private static final String REFUSAL =
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nCONTENT-Length: 5\r\n\r\nhello";

  private final Reply reply = new Reply();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void answer_isCompleteWithItsLastByteHoweverItComes(int piece) {
    for (int at = 0; at < REFUSAL.length(); at += piece) {
      assertThat(reply.complete()).as("after %d bytes", at).isFalse();
      add(REFUSAL.substring(at, Math.min(REFUSAL.length(), at + piece)));
    }
    assertThat(reply.complete()).isTrue();
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.closes()).isFalse();
  }

  @Test
  void answersOneAfterTheOther_areReadEachAnew() {
    add(REFUSAL);
    reply.clear();
    assertThat(reply.complete()).isFalse();
    add("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nConnection: close\r\n\r\n");
    assertThat(reply.complete()).isTrue();
    assertThat(reply.status()).isEqualTo(401);
    assertThat(reply.closes()).isTrue();
  }

  @Test
  void chunks_endWithTheLast() {
    add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    assertThat(reply.complete()).isFalse();
    add("0\r\n\r\n");
    assertThat(reply.complete()).isTrue();
    assertThat(reply.status()).isEqualTo(200);
  }

  private void add(String text) {
    reply.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }
}
