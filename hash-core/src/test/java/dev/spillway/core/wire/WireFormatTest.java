package dev.spillway.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spillway.core.bcrypt.BcryptDigest;
import dev.spillway.core.bcrypt.BcryptSetting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireFormatTest {
  private static final String SETTING_12 = "$2b$12$CCCCCCCCCCCCCCCCCCCCC.";
  private static final String SETTING_4 = "$2a$04$CCCCCCCCCCCCCCCCCCCCC.";
  private static final String DIGEST = "7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy";

  @Test
  void request_isWrittenAsTheGoldenFileSays() throws IOException {
    var request =
        new DigestRequest(
            List.of(
                new DigestRequest.Job("0", BcryptSetting.parse(SETTING_12), utf8("pässwörd")),
                new DigestRequest.Job("1", BcryptSetting.parse(SETTING_4), new byte[0])));

    assertThat(new String(WireFormat.write(request), StandardCharsets.UTF_8))
        .isEqualTo(golden("request.json"));
  }

  @Test
  void request_isReadAsTheGoldenFileSays() throws Exception {
    DigestIntake intake = WireFormat.readRequest(utf8(golden("request.json")), 15);

    assertThat(intake.declined()).isEmpty();
    assertThat(intake.runnable()).hasSize(2);
    assertThat(intake.runnable().get(0).id()).isEqualTo("0");
    assertThat(intake.runnable().get(0).setting()).hasToString(SETTING_12);
    assertThat(intake.runnable().get(0).password()).isEqualTo(utf8("pässwörd"));
    assertThat(intake.runnable().get(1).password()).isEmpty();
  }

  @Test
  void reply_isWrittenAndReadAsTheGoldenFileSays() throws Exception {
    var reply =
        new DigestReply(
            List.of(
                new DigestReply.Computed("0", BcryptDigest.of(DIGEST)),
                new DigestReply.Declined("1", DigestReply.Reason.BAD_SETTING)));

    assertThat(new String(WireFormat.write(reply), StandardCharsets.UTF_8))
        .isEqualTo(golden("reply.json"));
    assertThat(WireFormat.readReply(utf8(golden("reply.json")))).isEqualTo(reply);
  }

  @Test
  void requestWithoutJobs_andItsReply_areAsTheGoldenFilesSay() throws Exception {
    assertThat(new String(WireFormat.write(new DigestRequest(List.of())), StandardCharsets.UTF_8))
        .isEqualTo(golden("no-jobs.json"));
    assertThat(WireFormat.readRequest(utf8(golden("no-jobs.json")), 15))
        .isEqualTo(new DigestIntake(List.of(), List.of()));

    DigestReply nothing = new DigestReply(List.of());
    assertThat(new String(WireFormat.write(nothing), StandardCharsets.UTF_8))
        .isEqualTo(golden("no-jobs-reply.json"));
    assertThat(WireFormat.readReply(utf8(golden("no-jobs-reply.json")))).isEqualTo(nothing);
  }

  @Test
  void costAboveTheCap_isDeclinedWithoutSpoilingItsNeighbour() throws Exception {
    DigestIntake intake = WireFormat.readRequest(utf8(golden("request.json")), 11);

    assertThat(intake.runnable()).extracting(DigestRequest.Job::id).containsExactly("1");
    assertThat(intake.declined())
        .containsExactly(new DigestReply.Declined("0", DigestReply.Reason.BAD_SETTING));
  }

  @Test
  void longOrGarbledPassword_isDeclined() throws Exception {
    String tooLong = java.util.Base64.getEncoder().encodeToString(new byte[73]);
    for (String password : List.of(tooLong, "%%%", "YQ=a")) {
      DigestIntake intake =
          WireFormat.readRequest(
              utf8(
                  "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"setting\":\"%s\",\"password\":\"%s\"}]}"
                      .formatted(SETTING_4, password)),
              15);
      assertThat(intake.declined())
          .as(password)
          .containsExactly(new DigestReply.Declined("a", DigestReply.Reason.BAD_PASSWORD));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"v\":1}",
        "{\"jobs\":[]}",
        "{\"v\":1,\"jobs\":{}}",
        "{\"v\":1,\"jobs\":null}",
        "{\"v\":2,\"jobs\":[{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\"}]}",
        "{\"v\":\"1\",\"jobs\":[{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\"}]}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"setting\":\"s\"}]}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a b\",\"setting\":\"s\",\"password\":\"\"}]}",
        "{\"v\":1,\"jobs\":[{\"id\":1,\"setting\":\"s\",\"password\":\"\"}]}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\",\"x\":1}]}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\"}],\"x\":1}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\"}]} {}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\"}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"id\":\"b\",\"setting\":\"s\",\"password\":\"\"}]}",
        "{\"v\":1,\"jobs\":[{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\"},"
            + "{\"id\":\"a\",\"setting\":\"s\",\"password\":\"\"}]}",
      })
  void whatIsNoRequest_isRefused(String text) {
    assertThatThrownBy(() -> WireFormat.readRequest(utf8(text), 15))
        .isInstanceOf(WireException.class);
  }

  /** What a faulty or hostile function, or something in between, may answer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "\"\"",
        "<html>502 Bad Gateway</html>",
        "{\"errorMessage\":\"x\",\"errorType\":\"Unhandled\"}",
        "{\"v\":1,\"results\":[{\"id\":\"0\"}]}",
        "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":null}]}",
        "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":\"7uG0VCzI2bS7j6ymqJi9CdcdxiRTWN\"}]}",
        "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":\"7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNyy\"}]}",
        "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":\"7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNz\"}]}",
        "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":\"7uG0VCzI2bS7j6ymqJi9CdcdxiRTW+y\"}]}",
        "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":\"7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy\","
            + "\"error\":\"internal\"}]}",
        "{\"v\":1,\"results\":[{\"id\":\"0\",\"digest\":\"7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy\"}",
      })
  void whatIsNoReply_isRefused(String text) {
    assertThatThrownBy(() -> WireFormat.readReply(utf8(text))).isInstanceOf(WireException.class);
  }

  @Test
  void messages_neverRepeatTheInput() {
    String canary = "hunter2-canary";
    for (String text :
        List.of(
            canary,
            "{\"" + canary + "\":1}",
            "{\"v\":1,\"jobs\":[{\"id\":\"" + canary + " \",\"setting\":\"\",\"password\":\"\"}]}",
            "{\"v\":1,\"jobs\":[{\"password\":\"" + canary + "\", oops")) {
      assertThatThrownBy(() -> WireFormat.readRequest(utf8(text), 15))
          .isInstanceOf(WireException.class)
          .hasNoCause()
          .message()
          .doesNotContain(canary);
    }
  }

  @Test
  void resultFor_wantsExactlyOne() {
    var one = new DigestReply.Computed("a", BcryptDigest.of(DIGEST));
    assertThat(new DigestReply(List.of(one)).resultFor("a")).contains(one);
    assertThat(new DigestReply(List.of(one)).resultFor("b")).isEmpty();
    assertThat(new DigestReply(List.of(one, one)).resultFor("a")).isEmpty();
  }

  @Test
  void aFullRequest_fitsTheBound() throws Exception {
    List<DigestRequest.Job> jobs = new ArrayList<>();
    for (int i = 0; i < DigestRequest.MAX_JOBS; i++) {
      jobs.add(
          new DigestRequest.Job(
              "x".repeat(60) + (10 + i), BcryptSetting.parse(SETTING_12), new byte[72]));
    }
    byte[] bytes = WireFormat.write(new DigestRequest(jobs));

    assertThat(bytes.length).isLessThan(WireFormat.MAX_BYTES);
    assertThat(WireFormat.readRequest(bytes, 15).runnable()).hasSize(DigestRequest.MAX_JOBS);
  }

  @Test
  void wipe_overwritesThePasswords() {
    byte[] password = utf8("secret");
    var request =
        new DigestRequest(
            List.of(new DigestRequest.Job("0", BcryptSetting.parse(SETTING_4), password)));

    request.wipe();

    assertThat(password).containsOnly(0);
    assertThat(request.toString()).doesNotContain("secret");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = WireFormatTest.class.getResourceAsStream("/wire/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
