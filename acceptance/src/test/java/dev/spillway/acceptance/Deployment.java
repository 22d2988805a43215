package dev.spillway.acceptance;

import dev.spillway.locallambda.template.FunctionSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.Architecture;
import software.amazon.awssdk.services.lambda.model.Runtime;

/**
 * The template's function as Lambda's own API deploys it: what {@code sam deploy} comes to, without
 * what it needs beside Lambda (CloudFormation, CodeDeploy, alarms).
 */
record Deployment(FunctionSettings settings, int concurrency, Path functionPackage) {
  /** Nobody checks it outside AWS. */
  private static final String ROLE = "arn:aws:iam::000000000000:role/hash-function";

  private static final String QUARKUS =
      "io.quarkus.amazon.lambda.runtime.QuarkusStreamHandler::handleRequest";

  static Deployment of(FunctionSettings settings, int concurrency) {
    return new Deployment(settings, concurrency, Lambda.functionPackage());
  }

  /** Returns the alias's ARN, once the function can be called. */
  String to(LambdaClient client) {
    boolean osOnly = hasBootstrap(functionPackage);
    String name = settings.name();
    client.createFunction(
        function ->
            function
                .functionName(name)
                .runtime(osOnly ? Runtime.PROVIDED_AL2023 : Runtime.JAVA25)
                .handler(osOnly ? settings.handler() : QUARKUS)
                .architectures(ours())
                .role(ROLE)
                .memorySize(settings.memoryMegabytes())
                .timeout(Math.toIntExact(settings.timeout().toSeconds()))
                .environment(variables -> variables.variables(settings.environment()))
                .code(code -> code.zipFile(bytes(functionPackage))));
    client.waiter().waitUntilFunctionActiveV2(function -> function.functionName(name));
    client.putFunctionConcurrency(
        function -> function.functionName(name).reservedConcurrentExecutions(concurrency));
    String version = client.publishVersion(function -> function.functionName(name)).version();
    return client
        .createAlias(
            alias ->
                alias
                    .functionName(name)
                    .functionVersion(version)
                    .name(settings.alias().orElseThrow()))
        .aliasArn();
  }

  /**
   * A JVM package runs anywhere, a native one where it was built, and that was most likely here.
   */
  private static Architecture ours() {
    return System.getProperty("os.arch").equals("aarch64")
        ? Architecture.ARM64
        : Architecture.X86_64;
  }

  private static SdkBytes bytes(Path file) {
    try {
      return SdkBytes.fromByteArray(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasBootstrap(Path zip) {
    try (InputStream in = Files.newInputStream(zip);
        ZipInputStream entries = new ZipInputStream(in)) {
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        if (entry.getName().equals("bootstrap")) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
