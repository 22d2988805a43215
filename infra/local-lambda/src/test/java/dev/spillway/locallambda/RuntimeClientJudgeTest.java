package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.locallambda.handler.EchoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judgement of AWS's Java runtime interface client, running a handler from a zip. */
class RuntimeClientJudgeTest {
  @TempDir Path directory;
  private final List<String> log = new CopyOnWriteArrayList<>();

  @BeforeEach
  void write() throws IOException {
    String entry = EchoHandler.class.getName().replace('.', '/') + ".class";
    try (var zip = new ZipOutputStream(Files.newOutputStream(directory.resolve("echo.zip")));
        InputStream compiled = EchoHandler.class.getClassLoader().getResourceAsStream(entry)) {
      zip.putNextEntry(new ZipEntry(entry));
      compiled.transferTo(zip);
    }
    Files.writeString(
        directory.resolve("template.yaml"),
        """
        Resources:
          Echo:
            Type: AWS::Serverless::Function
            Properties:
              CodeUri: echo.zip
              Runtime: java25
              Handler: %s::handleRequest
              MemorySize: 512
              Timeout: 20
        """
            .formatted(EchoHandler.class.getName()));
  }

  /** With the AOT cache: made once, used by the second start. */
  @Test
  void handler_isTrainedOnceAndServes() throws Exception {
    try (var lambda = start(true)) {
      serves(lambda);
    }
    try (var lambda = start(true)) {
      serves(lambda);
    }
    assertThat(log).filteredOn(line -> line.startsWith("training")).hasSize(1);
    assertThat(log).noneMatch(line -> line.contains("no AOT cache"));
  }

  /** A secret in a variable is another at every start of {@code ./spillway run}. */
  @Test
  void otherVariable_needsNoOtherTraining() throws Exception {
    Path template = directory.resolve("template.yaml");
    String variables = "      Environment: {Variables: {SECRET: %s}}\n";
    String first = Files.readString(template);
    for (String secret : List.of("one", "two")) {
      Files.writeString(template, first + variables.formatted(secret));
      try (var lambda = start(true)) {
        serves(lambda);
      }
    }
    assertThat(log.stream().filter(line -> line.startsWith("training"))).hasSize(1);
  }

  @Test
  void withoutCache_serves() throws Exception {
    try (var lambda = start(false)) {
      serves(lambda);
    }
  }

  /** The client's native part lies in /tmp on Lambda, where every environment has its own. */
  @Test
  void startsAtOnce_doNotDisturbEachOther() throws Exception {
    try (var lambda = start(false)) {
      var caller = Caller.of(lambda);
      var answers =
          IntStream.range(0, 6).mapToObj(call -> caller.begin("Echo", "{}")).toList().stream()
              .map(answer -> answer.join().body())
              .toList();

      assertThat(answers).hasSize(6).containsOnly("{}");
      assertThat(lambda.report("Echo").crashes()).as("%s", log).isZero();
    }
  }

  private LocalLambda start(boolean aot) throws IOException {
    return LocalLambda.start(
        LocalLambdaConfig.of(directory.resolve("template.yaml"))
            .cache(directory.resolve("cache"))
            .aot(aot)
            .settle(Observe.PATIENCE)
            .log(log::add)
            .build());
  }

  private static void serves(LocalLambda lambda) {
    var caller = Caller.of(lambda);
    for (int call = 0; call < 3; call++) {
      assertThat(caller.send(caller.invocation("Echo", "{\"ü\":1}")).body()).isEqualTo("{\"ü\":1}");
    }
    var failed = caller.send(caller.invocation("Echo", "\"x\""));
    assertThat(failed.headers().firstValue("X-Amz-Function-Error")).contains("Unhandled");
    assertThat(failed.body())
        .contains("\"errorMessage\":\"no strings, Echo\"")
        .contains("\"errorType\":\"java.lang.IllegalArgumentException\"");
    assertThat(lambda.report("Echo"))
        .returns(1L, report -> report.coldStarts())
        .returns(0L, report -> report.crashes());
  }
}
