package dev.spillway.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.bcrypt.SpringDigestEngine;
import dev.spillway.core.wire.DigestIntake;
import dev.spillway.core.wire.DigestReply;
import dev.spillway.core.wire.DigestRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestBatchTest {
  private static final BcryptSetting SETTING = BcryptSetting.parse("$2b$05$CCCCCCCCCCCCCCCCCCCCC.");
  private static final BcryptDigest OF_EMPTY = BcryptDigest.of("7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy");

  private final DigestBatch batch =
      new DigestBatch(new SpringDigestEngine(), Duration.ofMillis(250));

  @Test
  void everyJob_isAnswered_andItsPasswordWiped() {
    byte[] password = "secret".getBytes(StandardCharsets.US_ASCII);
    var declined = new DigestReply.Declined("c", DigestReply.Reason.BAD_SETTING);

    DigestReply reply =
        batch.run(
            new DigestIntake(
                List.of(
                    new DigestRequest.Job("a", SETTING, new byte[0]),
                    new DigestRequest.Job("b", SETTING, password)),
                List.of(declined)),
            Duration.ofSeconds(10));

    assertThat(reply.results()).hasSize(3);
    assertThat(reply.resultFor("a")).contains(new DigestReply.Computed("a", OF_EMPTY));
    assertThat(reply.resultFor("b")).containsInstanceOf(DigestReply.Computed.class);
    assertThat(reply.resultFor("c")).contains(declined);
    assertThat(password).containsOnly(0);
  }

  @Test
  void withoutTimeLeft_noHashIsBegun() {
    DigestReply reply =
        batch.run(
            new DigestIntake(List.of(new DigestRequest.Job("a", SETTING, new byte[0])), List.of()),
            Duration.ofMillis(250));

    assertThat(reply.results())
        .containsExactly(new DigestReply.Declined("a", DigestReply.Reason.OUT_OF_TIME));
  }
}
