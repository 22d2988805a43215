package dev.spillway.locallambda.environment;

import dev.spillway.locallambda.code.CodePackage;
import dev.spillway.locallambda.code.Entrypoint;
import dev.spillway.locallambda.confine.Sandbox;
import dev.spillway.locallambda.template.FunctionSettings;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The command line of an environment's process.
 *
 * @param command empty where the package's bootstrap cannot be executed
 * @param refusal why not
 * @param workingDirectory where the package lies
 * @param taskRoot where the process sees it
 */
record Launch(
    List<String> command,
    Optional<String> refusal,
    String handler,
    String executionEnvironment,
    Path workingDirectory,
    Path taskRoot) {

  /** One vCPU per this many megabytes, in Lambda's documentation. */
  private static final int MEGABYTES_PER_CPU = 1769;

  Launch {
    command = List.copyOf(command);
  }

  /** {@code jvmOptions} count for a managed-Java package only. */
  static Launch of(CodePackage code, FunctionSettings function, List<String> jvmOptions) {
    return switch (code.entrypoint()) {
      case Entrypoint.Bootstrap(Path program) ->
          osOnly(code, function, List.of(program.toString()), Optional.empty());
      case Entrypoint.Invalid(String why) -> osOnly(code, function, List.of(), Optional.of(why));
      case Entrypoint.ManagedJava java ->
          new Launch(
              java(java, function.memoryMegabytes(), jvmOptions, code.directory()),
              Optional.empty(),
              java.handler(),
              "AWS_Lambda_java25",
              code.taskRoot(),
              code.taskRoot());
    };
  }

  /** The same, in a sandbox where there is one. */
  Launch within(Optional<Sandbox> sandbox, Path code, Optional<Path> output) {
    if (sandbox.isEmpty() || command.isEmpty()) {
      return this;
    }
    return new Launch(
        sandbox.get().around(seen(command), code, output),
        refusal,
        handler,
        executionEnvironment,
        workingDirectory,
        Sandbox.TASK);
  }

  /** A bootstrap is started by the name it has inside. */
  private List<String> seen(List<String> outside) {
    String bootstrap = workingDirectory.resolve("bootstrap").toString();
    return outside.stream()
        .map(word -> word.equals(bootstrap) ? Sandbox.TASK.resolve("bootstrap").toString() : word)
        .toList();
  }

  /** Whether the process we fork is the sandbox's, and the function's one below it. */
  boolean sandboxed() {
    return !taskRoot.equals(workingDirectory);
  }

  /** The same, but the process idles that long before it begins. */
  Launch after(Duration delay) {
    List<String> delayed =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                "sleep " + delay.toMillis() / 1000.0 + "; exec \"$@\"",
                "slow-init"));
    delayed.addAll(command);
    return new Launch(delayed, refusal, handler, executionEnvironment, workingDirectory, taskRoot);
  }

  private static Launch osOnly(
      CodePackage code, FunctionSettings function, List<String> command, Optional<String> refusal) {
    return new Launch(
        command,
        refusal,
        function.handler(),
        "AWS_Lambda_provided.al2023",
        code.taskRoot(),
        code.taskRoot());
  }

  private static List<String> java(
      Entrypoint.ManagedJava java, int memoryMegabytes, List<String> jvmOptions, Path directory) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags(memoryMegabytes));
    command.addAll(java.clientOptions());
    command.addAll(jvmOptions);
    // Not in the working directory, which is the package.
    command.add("-XX:ErrorFile=" + directory.resolve("hs_err_%p.log"));
    command.add("-cp");
    command.add(
        java.classPath().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator)));
    command.add(java.mainClass());
    command.add(java.handler());
    return command;
  }

  /**
   * Serial GC and a heap below the memory, as in Lambda's Java runtimes. Not the
   * -XX:TieredStopAtLevel=1 that they had for long: it halves the CPU time of init, which the AOT
   * cache does too, but then costs every hash an eighth more (README).
   */
  static List<String> jvmFlags(int memoryMegabytes) {
    int cpus = Math.max(2, Math.ceilDiv(memoryMegabytes, MEGABYTES_PER_CPU));
    return List.of(
        "-XX:+UseSerialGC",
        "-Xmx" + memoryMegabytes * 85L / 100 + "m",
        "-XX:ActiveProcessorCount=" + cpus,
        "-XX:-UsePerfData",
        "--enable-native-access=ALL-UNNAMED");
  }
}
