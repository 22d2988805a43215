package dev.spillway.core.wire;

import static dev.spillway.core.wire.WireReader.expect;
import static dev.spillway.core.wire.WireReader.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.ParsedHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The function's side of {@link WireFormat}. */
final class RequestReader {
  private final int maxCost;
  private final List<DigestRequest.Job> runnable = new ArrayList<>();
  private final List<DigestReply.Declined> declined = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  private RequestReader(int maxCost) {
    this.maxCost = maxCost;
  }

  static DigestIntake read(byte[] bytes, int maxCost) throws WireException {
    RequestReader reader = new RequestReader(maxCost);
    WireReader.read(bytes, "jobs", reader::job);
    return new DigestIntake(reader.runnable, reader.declined);
  }

  private void job(JsonParser json) throws IOException, WireException {
    expect(ids.size() < DigestRequest.MAX_JOBS, "over " + DigestRequest.MAX_JOBS + " jobs");
    String id = null;
    String setting = null;
    byte[] password = null;
    boolean passwordSeen = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "id" -> id = text(json);
        case "setting" -> setting = text(json);
        case "password" -> {
          passwordSeen = true;
          password = password(json);
        }
        default -> throw new WireException("unknown field");
      }
    }
    expect(id != null && setting != null && passwordSeen, "job without id, setting or password");
    expect(DigestRequest.Job.isId(id), "not a job id");
    expect(ids.add(id), "two jobs of one id");
    if (password == null) {
      declined.add(new DigestReply.Declined(id, DigestReply.Reason.BAD_PASSWORD));
      return;
    }
    switch (ParsedHash.ofSetting(setting, maxCost)) {
      case ParsedHash.ValidSetting(BcryptSetting valid) ->
          runnable.add(new DigestRequest.Job(id, valid, password));
      case ParsedHash.Invalid invalid ->
          declined.add(new DigestReply.Declined(id, DigestReply.Reason.BAD_SETTING));
    }
  }

  /** Null when it is no base64 or too long: that is this job's fault, not the request's. */
  private static byte[] password(JsonParser json) throws IOException, WireException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, "not a string");
    try {
      byte[] bytes = json.getBinaryValue();
      return bytes.length <= BcryptHash.MAX_PASSWORD_BYTES ? bytes : null;
    } catch (com.fasterxml.jackson.core.exc.StreamReadException notBase64) {
      return null;
    }
  }
}
