package dev.spillway.core.wire;

import static dev.spillway.core.wire.WireReader.expect;
import static dev.spillway.core.wire.WireReader.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.spillway.core.bcrypt.BcryptDigest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The service's side of {@link WireFormat}; trusts nothing it reads. */
final class ReplyReader {
  private final List<DigestReply.Result> results = new ArrayList<>();

  private ReplyReader() {}

  static DigestReply read(byte[] bytes) throws WireException {
    ReplyReader reader = new ReplyReader();
    long version = WireReader.read(bytes, "results", reader::result, (name, json) -> false);
    expect(version == WireFormat.VERSION, "not version " + WireFormat.VERSION);
    return new DigestReply(reader.results);
  }

  private void result(JsonParser json) throws IOException, WireException {
    expect(results.size() < DigestRequest.MAX_JOBS, "too many results");
    String id = null;
    String digest = null;
    String error = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "id" -> id = text(json);
        case "digest" -> digest = text(json);
        case "error" -> error = text(json);
        default -> throw new WireException("unknown field");
      }
    }
    expect(id != null, "result without id");
    expect((digest == null) != (error == null), "neither digest nor error, or both");
    if (error != null) {
      results.add(new DigestReply.Declined(id, DigestReply.Reason.ofLabel(error)));
      return;
    }
    expect(BcryptDigest.isWellFormed(digest), "digest not well formed");
    results.add(new DigestReply.Computed(id, BcryptDigest.of(digest)));
  }
}
