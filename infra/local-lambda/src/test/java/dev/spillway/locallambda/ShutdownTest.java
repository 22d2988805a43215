package dev.spillway.locallambda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** E4 from outside: local-lambda as a process, ended every way there is. */
class ShutdownTest {
  private static final int SIGTERM_AND_SIGINT_EXIT = 0;
  private static final String STATE = "/_local/functions/Fake";

  @TempDir Path directory;
  private FakeFunction fake;

  @BeforeEach
  void write() {
    fake = FakeFunction.in(directory);
  }

  @Test
  void close_leavesNoProcess() throws Exception {
    List<Long> pids;
    try (var lambda = fake.start()) {
      pids = family(Caller.of(lambda).pid());
    }
    assertThat(pids).hasSize(2);
    assertThat(Observe.exists(pids.getFirst())).as("what close() waits for").isFalse();
    Observe.until("what that forked", () -> pids.stream().noneMatch(Observe::exists));
  }

  @Test
  void close_endsACallInFlight() throws Exception {
    var lambda = fake.start();
    var caller = Caller.of(lambda);
    var call = caller.begin("\"sleep\"");
    Observe.until("busy", () -> lambda.report(FakeFunction.NAME).busy() == 1);
    List<Long> pids = family(lambda.report(FakeFunction.NAME).pids().getFirst());

    lambda.close();

    Observe.until("no process", () -> pids.stream().noneMatch(Observe::exists));
    call.cancel(true);
  }

  @Test
  void sigterm_leavesNoProcessAndExitsWithZero() throws Exception {
    Process process = main("--port", "0");
    List<Long> pids = family(callerOf(process).pid());

    process.destroy();

    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(SIGTERM_AND_SIGINT_EXIT);
    Observe.until("no process", () -> pids.stream().noneMatch(Observe::exists));
  }

  /** Frozen processes ignore every signal but one, and nobody is left to send it. */
  @Test
  void sigkill_leavesNoProcess() throws Exception {
    Process process = main("--port", "0");
    Caller caller = callerOf(process);
    long leader = caller.pid();
    Observe.until("it waits", () -> caller.get(STATE).body().contains("\"frozen\":1"));
    List<Long> pids = family(leader);
    assertThat(pids).as("the shell and its curl").hasSize(2);
    Observe.until("frozen", () -> pids.stream().allMatch(pid -> Observe.processState(pid) == 'T'));

    process.destroyForcibly();

    Observe.until("no process", () -> pids.stream().noneMatch(Observe::exists));
  }

  /** A kill of all descendants kills the guardian too; the next fork starts another. */
  @Test
  void sigkill_afterTheGuardiansOwn_leavesNoProcess() throws Exception {
    Process process = main("--port", "0");
    Caller caller = callerOf(process);
    long leader = caller.pid();
    Observe.until("it waits", () -> caller.get(STATE).body().contains("\"frozen\":1"));
    List<Long> first = family(leader);
    ProcessHandle guardian = guardian(process);
    guardian.destroyForcibly();
    Observe.until("dead", () -> !Observe.exists(guardian.pid()));

    var _ = caller.begin("\"sleep\""); // keeps the first busy
    Observe.until("busy", () -> caller.get(STATE).body().contains("\"busy\":1"));
    List<Long> pids = new ArrayList<>(family(caller.pid()));
    assertThat(pids).doesNotContainAnyElementsOf(first);
    pids.addAll(first);
    assertThat(guardian(process).pid()).isNotEqualTo(guardian.pid());
    process.destroyForcibly();

    Observe.until("no process", () -> pids.stream().noneMatch(Observe::exists));
  }

  @Test
  void unknownOption_exitsWithTwo() throws Exception {
    Process process = main("--prot", "0");

    assertThat(new String(process.getErrorStream().readAllBytes()))
        .contains("unknown option --prot");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  private Process main(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path").replace("\n", "")));
    command.add("dev.spillway.locallambda.Main");
    command.addAll(List.of("--template", fake.template("", 20, 4).toString()));
    command.addAll(List.of("--cache", fake.cache().toString()));
    command.addAll(List.of("--sandbox", "off"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).directory(new File("/")).start();
  }

  private static Caller callerOf(Process process) throws IOException {
    BufferedReader log = process.errorReader();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      int endpoint = line.indexOf("http://127.0.0.1:");
      if (endpoint >= 0) {
        return new Caller(URI.create(line.substring(endpoint)));
      }
    }
    throw new AssertionError("it ended before it listened");
  }

  private static ProcessHandle guardian(Process localLambda) {
    return localLambda
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(
            child ->
                Stream.of(child.info().arguments().orElse(new String[0]))
                    .anyMatch(argument -> argument.startsWith("trap")))
        .findFirst()
        .orElseThrow();
  }

  private static List<Long> family(long pid) {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    return Stream.concat(Stream.of(process), process.descendants())
        .map(ProcessHandle::pid)
        .toList();
  }
}
