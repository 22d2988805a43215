package dev.spillway.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.core.seal.Opener;
import dev.spillway.core.seal.SealKeys;
import dev.spillway.core.seal.Sealer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SealedWireTest {
  private static final BcryptSetting SETTING = BcryptSetting.parse("$2b$12$CCCCCCCCCCCCCCCCCCCCC.");
  private static final SealKeys KEYS = SealKeys.parse("{\"a\":\"%s\"}".formatted("0f".repeat(32)));
  private static final InstantSource NEW_YEAR =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
  private static final Sealer SEALER = new Sealer(KEYS, "a", NEW_YEAR);

  @Test
  void sealedRequest_isReadAsTheGoldenFileSays() throws Exception {
    DigestIntake intake = read(golden("sealed-request.json"), true);

    assertThat(intake.declined()).isEmpty();
    assertThat(intake.runnable()).hasSize(1);
    assertThat(intake.runnable().getFirst().id()).isEqualTo("0");
    assertThat(intake.runnable().getFirst().setting()).isEqualTo(SETTING);
    assertThat(intake.runnable().getFirst().password()).isEqualTo(utf8("pässwörd"));
  }

  /** All but the seal itself, which is another each time. */
  @Test
  void sealedRequest_isWrittenAsTheGoldenFileSays() throws IOException {
    String seal = "\"sealed\":\"[^\"]*\"";
    assertThat(write("0").replaceAll(seal, ""))
        .isEqualTo(golden("sealed-request.json").replaceAll(seal, ""));
    assertThat(write("0"))
        .doesNotContain("password")
        .hasSize(golden("sealed-request.json").length());
  }

  @Test
  void asManyJobsAsThereMayBe_fitIntoARequest() throws Exception {
    byte[] bytes =
        WireFormat.write(
            new DigestRequest(
                IntStream.range(0, DigestRequest.MAX_JOBS)
                    .mapToObj(
                        i -> new DigestRequest.Job("x".repeat(60) + "-" + i, SETTING, new byte[72]))
                    .toList()),
            SEALER);
    assertThat(bytes).hasSizeLessThan(WireFormat.MAX_BYTES);
    assertThat(read(bytes, true).runnable()).hasSize(DigestRequest.MAX_JOBS);
  }

  @Test
  void passwordInClear_isDeclined_whereSealingIsRequired() throws Exception {
    assertThat(read(golden("request.json"), true).declined())
        .containsExactly(
            new DigestReply.Declined("0", DigestReply.Reason.UNSEALED),
            new DigestReply.Declined("1", DigestReply.Reason.UNSEALED));
    assertThat(read(golden("request.json"), false).runnable()).hasSize(2);
  }

  @Test
  void alteredJob_isDeclined_withoutSpoilingItsNeighbour() throws Exception {
    String two = write("0", "1");
    assertThat(read(two, true).runnable()).hasSize(2);

    DigestIntake other = read(two.replaceFirst("\"id\":\"1\"", "\"id\":\"2\""), true);
    assertThat(other.runnable()).extracting(DigestRequest.Job::id).containsExactly("0");
    assertThat(other.declined())
        .containsExactly(new DigestReply.Declined("2", DigestReply.Reason.BROKEN_SEAL));

    assertThat(read(two.replace("$2b$12$", "$2b$04$"), true).declined())
        .extracting(DigestReply.Declined::reason)
        .containsExactly(DigestReply.Reason.BROKEN_SEAL, DigestReply.Reason.BROKEN_SEAL);
    assertThat(read(two.replace("\"at\":1767225600", "\"at\":1767225601"), true).declined())
        .extracting(DigestReply.Declined::reason)
        .containsOnly(DigestReply.Reason.BROKEN_SEAL);
    assertThat(read(two.replace("\"key\":\"a\"", "\"key\":\"b\""), true).declined())
        .extracting(DigestReply.Declined::reason)
        .containsOnly(DigestReply.Reason.UNKNOWN_SEAL_KEY);
    assertThat(read(two.replaceAll("\"sealed\":\"[^\"]*\"", "\"sealed\":\"%%%\""), true).declined())
        .extracting(DigestReply.Declined::reason)
        .containsOnly(DigestReply.Reason.BROKEN_SEAL);
  }

  @Test
  void repeatedRequest_isDeclined_afterTheWindow() throws Exception {
    Opener later =
        new Opener(
            KEYS,
            true,
            Duration.ofMinutes(1),
            InstantSource.fixed(NEW_YEAR.instant().plusSeconds(61)));
    assertThat(WireFormat.readRequest(utf8(write("0")), 15, later).declined())
        .containsExactly(new DigestReply.Declined("0", DigestReply.Reason.STALE_SEAL));
  }

  @Test
  void settingIsJudged_afterTheSealIsOpened() throws Exception {
    DigestIntake intake =
        WireFormat.readRequest(
            utf8(write("0")), 11, new Opener(KEYS, true, Duration.ofMinutes(1), NEW_YEAR));
    assertThat(intake.declined())
        .containsExactly(new DigestReply.Declined("0", DigestReply.Reason.BAD_SETTING));
  }

  @Test
  void mixtures_areNoRequest() throws IOException {
    String sealed = write("0");
    String clear = golden("request.json");
    for (String text :
        List.of(
            sealed.replace("\"v\":2", "\"v\":1"),
            sealed.replace("\"v\":2", "\"v\":3"),
            sealed.replace("\"key\":\"a\",", ""),
            sealed.replaceFirst("\"at\":\\d+,", ""),
            sealed.replace("\"key\":\"a\"", "\"key\":\"a b\""),
            sealed.replaceFirst("\"at\":\\d+", "\"at\":-1"),
            sealed.replaceFirst("\"at\":\\d+", "\"at\":1e9"),
            sealed.replaceFirst("\"at\":\\d+", "\"at\":123456789012345678901234567890"),
            sealed.replace("\"sealed\"", "\"password\""),
            sealed.replace("\"sealed\"", "\"password\":\"\",\"sealed\""),
            clear.replace("\"v\":1", "\"v\":2"),
            clear.replace("\"v\":1", "\"v\":1,\"key\":\"a\",\"at\":1767225600"))) {
      assertThatThrownBy(() -> read(text, false)).as(text).isInstanceOf(WireException.class);
    }
  }

  private static String write(String... ids) {
    return new String(
        WireFormat.write(
            new DigestRequest(
                Arrays.stream(ids)
                    .map(id -> new DigestRequest.Job(id, SETTING, utf8("pässwörd")))
                    .toList()),
            SEALER),
        StandardCharsets.UTF_8);
  }

  private static DigestIntake read(String text, boolean required) throws WireException {
    return read(utf8(text), required);
  }

  private static DigestIntake read(byte[] bytes, boolean required) throws WireException {
    return WireFormat.readRequest(
        bytes, 15, new Opener(KEYS, required, Duration.ofMinutes(1), NEW_YEAR));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String golden(String name) throws IOException {
    try (InputStream file = SealedWireTest.class.getResourceAsStream("/wire/" + name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
