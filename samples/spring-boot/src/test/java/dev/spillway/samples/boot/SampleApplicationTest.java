package dev.spillway.samples.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.core.bcrypt.BcryptSetting;
import dev.spillway.hashing.PooledBcrypt;
import dev.spillway.hashing.deadline.Deadline;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class SampleApplicationTest {
  private static final BcryptSetting ENDLESS =
      BcryptSetting.parse("$2b$20$CCCCCCCCCCCCCCCCCCCCC.");
  private static final Duration LONG = Duration.ofHours(1);

  @LocalServerPort private int port;
  @Autowired private PooledBcrypt bcrypt;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void login_isRightOrWrong() throws Exception {
    assertThat(login("demo", "demo").statusCode()).isEqualTo(200);
    assertThat(login("demo", "other").statusCode()).isEqualTo(401);
    assertThat(login("nobody", "demo").statusCode()).isEqualTo(401);
  }

  @Test
  void overload_isA503ThatSaysWhenToComeBack_andHealthAnswers() throws Exception {
    Deadline until = Deadline.in(LONG);
    for (int i = 0; i < bcrypt.pool().size(); i++) {
      Thread.startVirtualThread(
          () -> bcrypt.pool().digest(ENDLESS, new byte[] {'h'}, LONG, until));
    }
    await().until(() -> bcrypt.pool().free() == 0);

    HttpResponse<String> shed = login("demo", "demo");
    assertThat(shed.statusCode()).isEqualTo(503);
    assertThat(shed.headers().firstValue("Retry-After").orElseThrow()).matches("[1-9]\\d*");
    assertThat(send(HttpRequest.newBuilder(uri("/health"))).statusCode()).isEqualTo(200);

    // One deadline wakes one thread of those that wait for it; all look at it.
    until.abandon();
    await().until(() -> bcrypt.pool().free() == bcrypt.pool().size());
    assertThat(login("demo", "demo").statusCode()).isEqualTo(200);
  }

  /** What docs/library.md tells users of Spring to type is what this sample is made of. */
  @Test
  void library_page_isTypedHere() throws Exception {
    String page = Files.readString(Path.of("../../docs/library.md"));
    List<String> blocks =
        Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
            .matcher(page)
            .results()
            .map(block -> block.group(1))
            .filter(block -> block.contains("@"))
            .toList();
    assertThat(blocks).hasSize(2);
    String typed;
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      StringBuilder all = new StringBuilder();
      for (Path source : sources.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(source));
      }
      typed = oneSpaced(all.toString().replace("@Profile(\"!plain\")", ""));
    }
    assertThat(blocks).allSatisfy(block -> assertThat(typed).contains(oneSpaced(block)));
  }

  private static String oneSpaced(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }

  private HttpResponse<String> login(String login, String password) throws Exception {
    return send(
        HttpRequest.newBuilder(uri("/login"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"login\":\"%s\",\"password\":\"%s\"}".formatted(login, password))));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://localhost:" + port + path);
  }
}
