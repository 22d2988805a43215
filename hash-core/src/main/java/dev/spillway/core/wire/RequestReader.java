package dev.spillway.core.wire;

import static dev.spillway.core.wire.WireReader.expect;
import static dev.spillway.core.wire.WireReader.number;
import static dev.spillway.core.wire.WireReader.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.spillway.core.bcrypt.BcryptHash;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.ParsedHash;
import dev.spillway.core.seal.Opened;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.seal.SealStamp;
import dev.spillway.core.seal.SealedJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The function's side of {@link WireFormat}. */
final class RequestReader {
  private static final byte[] NOT_BASE64 = {};

  private final int maxCost;
  private final Opener opener;
  private final List<Raw> jobs = new ArrayList<>();
  private final List<DigestRequest.Job> runnable = new ArrayList<>();
  private final List<DigestReply.Declined> declined = new ArrayList<>();
  private String sealKey;
  private Long sealedAt;

  private RequestReader(int maxCost, Opener opener) {
    this.maxCost = maxCost;
    this.opener = opener;
  }

  static DigestIntake read(byte[] bytes, int maxCost, Opener opener) throws WireException {
    RequestReader reader = new RequestReader(maxCost, opener);
    try {
      long version = WireReader.read(bytes, "jobs", reader::job, reader::beside);
      if (version == WireFormat.SEALED_VERSION) {
        reader.openAll();
      } else {
        expect(version == WireFormat.VERSION, "not a version known here");
        reader.takeAll();
      }
      return new DigestIntake(reader.runnable, reader.declined);
    } catch (WireException e) {
      reader.jobs.forEach(Raw::wipe);
      throw e;
    }
  }

  private boolean beside(String name, JsonParser json) throws IOException, WireException {
    switch (name) {
      case "key" -> sealKey = text(json);
      case "at" -> sealedAt = number(json);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void job(JsonParser json) throws IOException, WireException {
    expect(jobs.size() < DigestRequest.MAX_JOBS, "over " + DigestRequest.MAX_JOBS + " jobs");
    Raw job = new Raw();
    jobs.add(job);
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "id" -> job.id = text(json);
        case "setting" -> job.setting = text(json);
        case "password" -> job.password = bytes(json);
        case "sealed" -> job.sealed = bytes(json);
        default -> throw new WireException("unknown field");
      }
    }
    expect(job.id != null && DigestRequest.Job.isId(job.id), "not a job id");
    expect(job.setting != null, "job without setting");
  }

  private void takeAll() throws WireException {
    expect(sealKey == null && sealedAt == null, "a stamp, and nothing sealed");
    checkIds();
    for (Raw job : jobs) {
      expect(job.password != null && job.sealed == null, "not one password in clear");
    }
    for (Raw job : jobs) {
      if (opener.required()) {
        job.wipe();
        decline(job, DigestReply.Reason.UNSEALED);
      } else {
        take(job, job.password);
      }
    }
  }

  private void openAll() throws WireException {
    expect(
        sealKey != null && sealedAt != null && SealStamp.isWellFormed(sealKey, sealedAt),
        "no stamp");
    checkIds();
    for (Raw job : jobs) {
      expect(job.sealed != null && job.password == null, "not one sealed password");
    }
    SealStamp stamp = new SealStamp(sealKey, sealedAt);
    for (Raw job : jobs) {
      switch (opener.open(stamp, new SealedJob(job.id, job.setting), job.sealed)) {
        case Opened.Password(byte[] password) -> take(job, password);
        case Opened.UnknownKey() -> decline(job, DigestReply.Reason.UNKNOWN_SEAL_KEY);
        case Opened.Broken() -> decline(job, DigestReply.Reason.BROKEN_SEAL);
        case Opened.Stale() -> decline(job, DigestReply.Reason.STALE_SEAL);
      }
    }
  }

  private void checkIds() throws WireException {
    Set<String> ids = new HashSet<>();
    for (Raw job : jobs) {
      expect(ids.add(job.id), "two jobs of one id");
    }
  }

  private void take(Raw job, byte[] password) {
    if (password == NOT_BASE64 || password.length > BcryptHash.MAX_PASSWORD_BYTES) {
      job.wipe();
      decline(job, DigestReply.Reason.BAD_PASSWORD);
      return;
    }
    switch (ParsedHash.ofSetting(job.setting, maxCost)) {
      case ParsedHash.ValidSetting(BcryptSetting valid) ->
          runnable.add(new DigestRequest.Job(job.id, valid, password));
      case ParsedHash.Invalid invalid -> {
        Arrays.fill(password, (byte) 0);
        decline(job, DigestReply.Reason.BAD_SETTING);
      }
    }
  }

  private void decline(Raw job, DigestReply.Reason reason) {
    declined.add(new DigestReply.Declined(job.id, reason));
  }

  /** {@link #NOT_BASE64} is this job's fault, not the request's. */
  private static byte[] bytes(JsonParser json) throws IOException, WireException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, "not a string");
    try {
      return json.getBinaryValue();
    } catch (com.fasterxml.jackson.core.exc.StreamReadException notBase64) {
      return NOT_BASE64;
    }
  }

  /** A job whose fields have been read, in whatever order; null where there was none. */
  private static final class Raw {
    private String id;
    private String setting;
    private byte[] password;
    private byte[] sealed;

    void wipe() {
      if (password != null) {
        Arrays.fill(password, (byte) 0);
      }
    }
  }
}
