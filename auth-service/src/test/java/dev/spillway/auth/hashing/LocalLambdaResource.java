package dev.spillway.auth.hashing;

import dev.spillway.locallambda.LocalLambda;
import dev.spillway.locallambda.LocalLambdaConfig;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The function of template.yaml as real processes, sealing and all, and the spill pointed at it.
 */
public final class LocalLambdaResource implements QuarkusTestResourceLifecycleManager {
  private static final String KEYS = "{\"a\":\"%s\"}".formatted("5e".repeat(32));
  private static LocalLambda lambda;

  static long environmentsStarted() {
    return lambda.report("HashFunction").coldStarts();
  }

  @Override
  public Map<String, String> start() {
    Path repository = Path.of("").toAbsolutePath().getParent();
    try {
      lambda =
          LocalLambda.start(
              LocalLambdaConfig.of(repository.resolve("template.yaml"))
                  .secret("SealingSecret", KEYS)
                  .functionPackage(FunctionPackage.underTest())
                  .concurrency(4)
                  .build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.setProperty("aws.accessKeyId", "local");
    System.setProperty("aws.secretAccessKey", "local");
    return Map.of(
        "spillway.spill.sealing.keys",
        KEYS,
        "spillway.spill.sealing.use",
        "a",
        "spillway.spill.targets.local.function",
        lambda.functionArn("HashFunction"),
        "spillway.spill.targets.local.endpoint",
        lambda.endpoint().toString(),
        "spillway.spill.targets.local.max-outstanding",
        "4");
  }

  @Override
  public void stop() {
    lambda.close();
  }
}
