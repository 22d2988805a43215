package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spillway.locallambda.confine.Demand;
import dev.spillway.locallambda.confine.Sandbox;
import dev.spillway.locallambda.handler.EchoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a function can see and reach from inside. Skipped, and said so, where bwrap cannot work. */
class SandboxTest {
  @TempDir Path directory;

  @BeforeEach
  void sandboxIsToBeHad() throws IOException {
    List<String> lacking = new ArrayList<>();
    boolean had = Sandbox.find(Demand.AUTO, lacking::add).isPresent();
    lacking.forEach(System.err::println);
    if (!had && "required".equals(System.getenv("SPILLWAY_PROGRAMS"))) {
      throw new AssertionError(lacking);
    }
    assumeTrue(had, String.join("", lacking));
  }

  @Test
  void nothingButTmp_canBeWritten() throws Exception {
    try (var function = ShellFunction.start(directory, 1769, Demand.ON)) {
      for (String place : List.of("/", "/var/task", "/etc", "/usr", "/dev/shm")) {
        assertThat(function.run("touch " + place + "/x; echo done")).contains("Read-only");
      }
      // Its own /tmp has the folders on the way to its package, and they are not ours.
      function.run("touch " + directory + "/x");
      assertThat(function.run("mount -o remount,rw / && touch /x")).contains("mount");
      assertThat(function.run("touch /x")).contains("Read-only");
      assertThat(function.run("cat /proc/sys/vm/swappiness >/proc/sys/vm/swappiness"))
          .contains("Read-only");
      assertThat(function.run("touch /tmp/x && ls /tmp")).contains("x");
    }
    assertThat(directory.resolve("x")).doesNotExist();
  }

  @Test
  void machinesOwnFilesAndProcesses_areNotSeen() throws Exception {
    Path ours = Files.createTempFile("sandbox-test", ".secret");
    try (var function = ShellFunction.start(directory, 1769, Demand.ON)) {
      assertThat(function.run("ls -a /tmp")).doesNotContain("sandbox-test");
      assertThat(function.run("cat " + ours)).contains("No such file");
      Path home = Path.of(System.getProperty("user.home"));
      Path jdk = Path.of(System.getProperty("java.home"));
      // The JDK is there at its own place, and some have it in their home.
      String way = jdk.startsWith(home) ? home.relativize(jdk).getName(0) + "|" : "";
      assertThat(function.run("ls -A " + home))
          .matches("\"(ls: cannot access .*|" + Pattern.quote(way) + ")\"");
      assertThat(function.run("ls /proc"))
          .doesNotContain("|" + ProcessHandle.current().pid() + "|");
      assertThat(function.run("kill -0 " + ProcessHandle.current().pid()))
          .contains("No such process");
      assertThat(function.run("pwd; echo $LAMBDA_TASK_ROOT; ls"))
          .contains("/var/task|/var/task|bootstrap");
    } finally {
      Files.delete(ours);
    }
  }

  @Test
  void tmp_isBoundedAndEachEnvironmentsOwn() throws Exception {
    try (var function = ShellFunction.start(directory, 1769, Demand.ON)) {
      assertThat(function.run("head -c 600M /dev/zero >/tmp/x; rm /tmp/x"))
          .contains("No space left");
      function.run("touch /tmp/first");
      ProcessHandle.of(function.pid()).orElseThrow().destroyForcibly();
      Observe.until("gone", () -> function.lambda().report(ShellFunction.NAME).live() == 0);

      assertThat(function.run("ls /tmp")).doesNotContain("first");
    }
  }

  /** E1 and E4 of Environment, with the sandbox's own processes between us and the function. */
  @Test
  void functionsProcesses_areFrozenAndKilledWithIt() throws Exception {
    List<Long> family;
    try (var function = ShellFunction.start(directory, 1769, Demand.ON)) {
      function.run("true");
      family =
          ProcessHandle.of(function.pid())
              .orElseThrow()
              .descendants()
              .map(ProcessHandle::pid)
              .toList();
      assertThat(family).as("bwrap in its namespace, the shell, its curl").hasSize(3);
      for (long member : family) {
        Observe.until("stopped", () -> Observe.processState(member) == 'T');
      }
    }
    Observe.until("no process", () -> family.stream().noneMatch(Observe::exists));
  }

  /** The training run is asked to end and must have written its cache; then the cache is used. */
  @Test
  void managedJava_isTrainedAndServes() throws Exception {
    Path code = Files.createDirectories(directory.resolve("code/handler"));
    String name = EchoHandler.class.getName().replace('.', '/') + ".class";
    Path target = directory.resolve("code").resolve(name);
    Files.createDirectories(target.getParent());
    try (var in = EchoHandler.class.getClassLoader().getResourceAsStream(name)) {
      Files.copy(in, target);
    }
    Files.delete(code);
    Path template =
        Files.writeString(
            directory.resolve("template.yaml"),
            """
            Resources:
              Echo:
                Type: AWS::Serverless::Function
                Properties:
                  CodeUri: code
                  Runtime: java25
                  Handler: %s::handleRequest
                  MemorySize: 512
                  Timeout: 20
            """
                .formatted(EchoHandler.class.getName()));
    List<String> log = new CopyOnWriteArrayList<>();
    var config =
        LocalLambdaConfig.of(template)
            .cache(directory.resolve("cache"))
            .sandbox(Demand.ON)
            .log(log::add)
            .build();
    try (var lambda = LocalLambda.start(config)) {
      var caller = Caller.of(lambda);

      assertThat(caller.send(caller.invocation("Echo", "{}")).body()).isEqualTo("{}");
      assertThat(log).anyMatch(line -> line.startsWith("Echo's AOT cache:"));
      assertThat(log).noneMatch(line -> line.startsWith("no AOT cache"));
    }
  }

  @Test
  void notWanted_isNotThere() throws Exception {
    try (var function = ShellFunction.start(directory, 1769, Demand.OFF)) {
      assertThat(function.run("pwd")).contains(directory.toRealPath().toString());
    }
    assertThatThrownBy(() -> Demand.labelled("maybe"))
        .hasMessage("must be auto, on or off, not maybe");
  }
}
