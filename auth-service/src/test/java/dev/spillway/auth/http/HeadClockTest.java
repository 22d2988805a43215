package dev.spillway.auth.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On a connection whose time the test moves. */
class HeadClockTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final String WHOLE = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String WITH_BODY = "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n";

  private EmbeddedChannel connection = connection(new Detection(new HttpRequestDecoder()));

  @AfterEach
  void close() {
    connection.finishAndReleaseAll();
  }

  @Test
  void headInTime_isPassedOn() {
    send(WHOLE.substring(0, 20));
    after(LIMIT.minusMillis(1));
    send(WHOLE.substring(20));
    after(LIMIT.multipliedBy(10));
    assertThat(connection.isOpen()).isTrue();
    assertThat(requests()).isEqualTo(1);
  }

  @Test
  void headThatDrips_isAnswered408() {
    for (int i = 0; i < 5; i++) {
      send(WHOLE.substring(i, i + 1));
      assertThat(connection.isOpen()).isTrue();
      after(Duration.ofSeconds(1));
    }
    assertThat(connection.isOpen()).isFalse();
    assertThat(answer())
        .startsWith("HTTP/1.1 408 Request Timeout\r\n")
        .contains("Content-Type: application/problem+json\r\n")
        .endsWith("\"detail\":\"The head of a request may take at most 5 seconds.\"}");
  }

  /** Of which some write digits of their own. */
  @Test
  void answer_isTheSameInEveryLanguage() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      send("G");
      after(LIMIT);
    } finally {
      Locale.setDefault(before);
    }
    String[] parts = answer().split("\r\n\r\n");
    assertThat(parts[0]).contains("Content-Length: " + parts[1].length() + "\r\n");
    assertThat(parts[1]).contains("at most 5 seconds");
  }

  /** Two bytes of which nobody knows yet in which protocol they are. */
  @Test
  void protocolThatIsNotSaid_countsToo() {
    send("PR");
    after(LIMIT);
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void afterARequest_theNextHeadHasItsOwnTime_andEndsWithoutAWord() {
    send(WHOLE);
    after(LIMIT.multipliedBy(10));
    send("GET ");
    after(LIMIT.minusMillis(1));
    assertThat(connection.isOpen()).isTrue();
    after(Duration.ofMillis(1));
    assertThat(connection.isOpen()).isFalse();
    assertThat(answer()).as("an answer may be under way").isEmpty();
  }

  @Test
  void silence_isNoHead() {
    after(LIMIT.multipliedBy(10));
    assertThat(connection.isOpen()).isTrue();
  }

  @Test
  void body_isNotCounted() {
    send(WITH_BODY + "1");
    after(LIMIT.multipliedBy(2));
    send("2");
    after(LIMIT.multipliedBy(2));
    send("34");
    after(LIMIT.multipliedBy(2));
    assertThat(connection.isOpen()).isTrue();
    send(WHOLE + WHOLE);
    after(LIMIT.multipliedBy(2));
    assertThat(connection.isOpen()).isTrue();
    assertThat(requests()).isEqualTo(3);
  }

  /** The end of a body does not say whether a head has begun behind it; the next byte does. */
  @Test
  void headBehindABody_isCountedFromItsNextByte() {
    send(WITH_BODY);
    send("1234GE");
    after(LIMIT.multipliedBy(2));
    assertThat(connection.isOpen()).isTrue();
    send("T");
    after(LIMIT);
    assertThat(connection.isOpen()).isFalse();
  }

  /** Requests that come in a row are read on when those before them have been answered. */
  @Test
  void headThatIsNotRead_hasTime() {
    send(WHOLE);
    send("GET ");
    connection.config().setAutoRead(false);
    after(LIMIT.multipliedBy(3));
    assertThat(connection.isOpen()).isTrue();
    connection.config().setAutoRead(true);
    after(LIMIT);
    assertThat(connection.isOpen()).isFalse();
  }

  /** It has its own way of sending heads. */
  @Test
  void http2_isLeftAlone() {
    connection.finishAndReleaseAll();
    connection =
        connection(
            new Detection(
                new Http2ConnectionHandlerBuilder()
                    .server(true)
                    .frameListener(new Http2FrameAdapter())
                    .build()));
    send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    assertThat(connection.pipeline().get(HeadClock.class)).isNull();
    after(LIMIT.multipliedBy(2));
    assertThat(connection.isOpen()).isTrue();
  }

  private static EmbeddedChannel connection(ChannelHandler detection) {
    EmbeddedChannel connection = new EmbeddedChannel(new HeadClock(LIMIT), detection);
    connection.freezeTime();
    return connection;
  }

  private void send(String text) {
    connection.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private void after(Duration time) {
    connection.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
    connection.runScheduledPendingTasks();
    connection.runPendingTasks();
  }

  private long requests() {
    return connection.inboundMessages().stream().filter(HttpRequest.class::isInstance).count();
  }

  private String answer() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf sent = connection.readOutbound(); sent != null; sent = connection.readOutbound()) {
      text.append(sent.toString(StandardCharsets.US_ASCII));
      sent.release();
    }
    return text.toString();
  }

  /** As a server finds out what it is spoken to in: what reads comes after the third byte. */
  private static final class Detection extends ChannelInboundHandlerAdapter {
    private final ChannelHandler reader;
    private final ByteBuf first = Unpooled.buffer();

    Detection(ChannelHandler reader) {
      this.reader = reader;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      first.writeBytes(bytes);
      bytes.release();
      if (first.readableBytes() >= 3) {
        ctx.pipeline().addLast(reader);
        ctx.pipeline().remove(this);
        ctx.fireChannelRead(first);
      }
    }
  }
}
