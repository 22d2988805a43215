package dev.spillway.core.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.seal.SealStamp;
import dev.spillway.core.seal.SealedJob;
import dev.spillway.core.seal.Sealer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The JSON between service and function, version {@value #VERSION}, and {@value #SEALED_VERSION} of
 * a request whose passwords are sealed. The golden files under {@code src/test/resources/wire} pin
 * it.
 *
 * <pre>
 * {"v":1,"jobs":[{"id":"0","setting":"$2b$12$(22 characters of salt)","password":"(base64)"}]}
 * {"v":2,"key":"a","at":1767225600,"jobs":[{"id":"0","setting":"...","sealed":"(base64)"}]}
 * {"v":1,"results":[{"id":"0","digest":"(31 characters)"},{"id":"1","error":"bad_setting"}]}
 * </pre>
 *
 * A request without jobs gets a reply without results. Streaming, without data binding: nothing
 * here needs reflection in a native image, and no password becomes a String that cannot be wiped.
 */
public final class WireFormat {
  /** A reader refuses every version it does not know. */
  public static final int VERSION = 1;

  /** Of a request with sealed passwords; it is answered in version {@value #VERSION}. */
  public static final int SEALED_VERSION = 2;

  /** Longest request or reply, in bytes; several times what {@link DigestRequest#MAX_JOBS} need. */
  public static final int MAX_BYTES = 16 * 1024;

  static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(8)
                  .maxStringLength(1024)
                  .maxNumberLength(20)
                  .build())
          .build();

  private WireFormat() {}

  public static byte[] write(DigestRequest request) {
    return write(
        VERSION,
        json -> {
          json.writeArrayFieldStart("jobs");
          for (DigestRequest.Job job : request.jobs()) {
            json.writeStartObject();
            json.writeStringField("id", job.id());
            json.writeStringField("setting", job.setting().toString());
            json.writeBinaryField("password", job.password());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  /** Seals every password on the way; the request keeps its own. */
  public static byte[] write(DigestRequest request, Sealer sealer) {
    SealStamp stamp = sealer.stamp();
    return write(
        SEALED_VERSION,
        json -> {
          json.writeStringField("key", stamp.keyId());
          json.writeNumberField("at", stamp.issuedAt());
          json.writeArrayFieldStart("jobs");
          for (DigestRequest.Job job : request.jobs()) {
            String setting = job.setting().toString();
            json.writeStartObject();
            json.writeStringField("id", job.id());
            json.writeStringField("setting", setting);
            json.writeBinaryField(
                "sealed", sealer.seal(stamp, new SealedJob(job.id(), setting), job.password()));
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  public static byte[] write(DigestReply reply) {
    return write(
        VERSION,
        json -> {
          json.writeArrayFieldStart("results");
          for (DigestReply.Result result : reply.results()) {
            json.writeStartObject();
            json.writeStringField("id", result.id());
            switch (result) {
              case DigestReply.Computed computed ->
                  json.writeStringField("digest", computed.digest().text());
              case DigestReply.Declined declined ->
                  json.writeStringField("error", declined.reason().label());
            }
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  /**
   * Reads a request, as the function does.
   *
   * @param maxCost jobs above it are declined
   * @param opener opens sealed passwords; jobs it refuses are declined
   * @throws WireException if the bytes are not a request: not JSON, another version, too many jobs,
   *     two of one id
   */
  public static DigestIntake readRequest(byte[] bytes, int maxCost, Opener opener)
      throws WireException {
    return RequestReader.read(bytes, maxCost, opener);
  }

  /** Reads a request, as a function without keys does: every sealed job is declined. */
  public static DigestIntake readRequest(byte[] bytes, int maxCost) throws WireException {
    return readRequest(bytes, maxCost, Opener.none());
  }

  /**
   * Reads a reply, as the service does.
   *
   * @throws WireException if the bytes are not a reply, or any digest in it is not well formed
   */
  public static DigestReply readReply(byte[] bytes) throws WireException {
    return ReplyReader.read(bytes);
  }

  private interface Body {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private static byte[] write(int version, Body body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("v", version);
      body.writeTo(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail to be written to
    }
    return out.toByteArray();
  }
}
