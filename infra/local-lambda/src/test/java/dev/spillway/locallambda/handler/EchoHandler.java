package dev.spillway.locallambda.handler;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A handler as one writes it for the managed java25 runtime; fails on what begins with {@code "}.
 */
public final class EchoHandler implements RequestStreamHandler {
  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    byte[] event = input.readAllBytes();
    if (event[0] == '"') {
      throw new IllegalArgumentException("no strings, " + context.getFunctionName());
    }
    output.write(event);
  }
}
