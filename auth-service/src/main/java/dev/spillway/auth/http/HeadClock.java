package dev.spillway.auth.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Channel handler that ends a connection if the head of a request takes too long. It is the first
 * handler of the pipeline, and its {@link Watch} comes right after HTTP/1's decoder. Both run on
 * the connection's event loop.
 *
 * <p>A connection that has had requests is closed without an answer, because the answer to one of
 * them may be under way. The handler removes itself from connections of HTTP/2, which has frames
 * instead of heads, and of TLS, whose handshake has its own limit.
 */
final class HeadClock extends ChannelInboundHandlerAdapter {
  private static final String BODY =
      "{\"type\":\"about:blank\",\"title\":\"Request Timeout\",\"status\":408,"
          + "\"detail\":\"The head of a request may take at most %s seconds.\"}";
  private static final String HEAD =
      "HTTP/1.1 408 Request Timeout\r\nContent-Type: %s\r\nContent-Length: %s\r\nConnection: close\r\n\r\n";

  private final Duration maxTime;
  private boolean watching;
  private boolean inRequest;
  private long heads;
  private Future<?> limit;

  HeadClock(Duration maxTime) {
    this.maxTime = maxTime;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    long headsBefore = heads;
    boolean between = !inRequest;
    if (message instanceof ByteBuf bytes && !watching) {
      untilDecoder(ctx, bytes);
    }
    ctx.fireChannelRead(message);
    // A head that arrived whole, as nearly all do, needs no timer.
    if (!ctx.isRemoved() && between && heads == headsBefore && limit == null) {
      start(ctx);
    }
  }

  private void start(ChannelHandlerContext ctx) {
    limit = ctx.executor().schedule(() -> end(ctx), maxTime.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Vert.x adds the decoder when it knows the client's protocol, after two or three bytes. They are
   * passed on one at a time, so that no request is decoded before the watch is in place.
   */
  private void untilDecoder(ChannelHandlerContext ctx, ByteBuf bytes) {
    while (!watching && !ctx.isRemoved() && bytes.isReadable()) {
      if (ctx.pipeline().context(HttpRequestDecoder.class) != null) {
        watch(ctx);
      } else if (isOther(ctx)) {
        ctx.pipeline().remove(this);
      } else {
        ctx.fireChannelRead(bytes.readRetainedSlice(1));
      }
    }
  }

  private void watch(ChannelHandlerContext ctx) {
    String decoder = ctx.pipeline().context(HttpRequestDecoder.class).name();
    ctx.pipeline().addAfter(decoder, null, new Watch());
    watching = true;
  }

  private static boolean isOther(ChannelHandlerContext ctx) {
    return ctx.pipeline().get(Http2ConnectionHandler.class) != null
        || ctx.pipeline().get(SslHandler.class) != null;
  }

  private void end(ChannelHandlerContext ctx) {
    limit = null;
    if (!ctx.channel().config().isAutoRead()) {
      start(ctx); // we do not read on: there are answers to be written first
      return;
    }
    if (heads > 0) {
      ctx.close();
      return;
    }
    byte[] body = BODY.formatted(maxTime.toSeconds()).getBytes(StandardCharsets.US_ASCII);
    byte[] head =
        HEAD.formatted(Problem.MEDIA_TYPE, body.length).getBytes(StandardCharsets.US_ASCII);
    ctx.writeAndFlush(Unpooled.wrappedBuffer(head, body)).addListener(ChannelFutureListener.CLOSE);
  }

  private void stop() {
    if (limit != null) {
      limit.cancel(false);
      limit = null;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    stop();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    stop();
  }

  /** Sees requests begin and end. */
  private final class Watch extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest) {
        heads++;
        inRequest = true;
        stop();
      }
      if (message instanceof LastHttpContent) {
        inRequest = false;
      }
      ctx.fireChannelRead(message);
    }
  }
}
