package dev.spillway.auth.http;

import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A file of a web page, from {@code pages/} of the class path. Its policy allows no content from
 * elsewhere, no other scripts and no frames.
 */
public record WebFile(String type, byte[] bytes) {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  /**
   * @throws IllegalArgumentException for a file that was not packaged, or of an unknown kind
   */
  public static WebFile named(String name) {
    try (InputStream in = WebFile.class.getResourceAsStream("/pages/" + name)) {
      if (in == null) {
        throw new IllegalArgumentException("no such file: " + name);
      }
      return new WebFile(typeOf(name), in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Response toResponse() {
    return Response.ok(bytes, type)
        .header("Content-Security-Policy", POLICY)
        .header("Referrer-Policy", "no-referrer")
        .build();
  }

  private static String typeOf(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html;charset=UTF-8";
      case "css" -> "text/css;charset=UTF-8";
      case "js" -> "text/javascript;charset=UTF-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalArgumentException("unknown kind of file: " + name);
    };
  }
}
