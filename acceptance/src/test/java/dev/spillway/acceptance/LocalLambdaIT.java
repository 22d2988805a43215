package dev.spillway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spillway.locallambda.LocalLambda;
import dev.spillway.locallambda.LocalLambdaConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** The contract on local-lambda, in every build; it demands AWS's signatures. */
class LocalLambdaIT extends LambdaContract {
  private static final int CONCURRENCY = 2;

  /** A caller with an answer finds the place of its call free. */
  private static final Duration SETTLE = Duration.ofSeconds(20);

  @Override
  Lambda start() throws IOException {
    LocalLambda lambda =
        LocalLambda.start(
            LocalLambdaConfig.of(Lambda.TEMPLATE)
                .parameter("Sealing", "no")
                .functionPackage(Lambda.functionPackage())
                .concurrency(CONCURRENCY)
                .settle(SETTLE)
                .signer("test", "test")
                .build());
    LambdaClient client =
        Lambda.clientBuilder()
            .endpointOverride(lambda.endpoint())
            .region(Region.of(lambda.region()))
            .credentialsProvider(Lambda.nobody())
            .build();
    return new Local(lambda, client);
  }

  /** As template.yaml deploys it by default: a password in clear is declined. */
  @Test
  void sealedPasswords_areOpenedByTheFunction() throws Exception {
    String keys = "{\"a\":\"" + "07".repeat(32) + "\"}";
    try (LocalLambda sealed =
        LocalLambda.start(
            LocalLambdaConfig.of(Lambda.TEMPLATE)
                .functionPackage(Lambda.functionPackage())
                .secret("SealingSecret", keys)
                .concurrency(CONCURRENCY)
                .settle(SETTLE)
                .build())) {
      Map<String, String> target =
          new TreeMap<>(
              Map.of(
                  "spillway.spill.targets.it.function", "HashFunction",
                  "spillway.spill.targets.it.region", sealed.region(),
                  "spillway.spill.targets.it.endpoint", sealed.endpoint().toString(),
                  "aws.accessKeyId", "test",
                  "aws.secretAccessKey", "test"));
      try (Instance clear = service(target, CONCURRENCY)) {
        Burst.of(clear, 10, 2, () -> {});
        assertThat(clear.metric("spillway_hashing_total", "spilled")).isZero();
      }
      target.put("spillway.spill.sealing.keys", keys);
      target.put("spillway.spill.sealing.use", "a");
      try (Instance service = service(target, CONCURRENCY)) {
        assertSpills(service);
      }
    }
  }

  private record Local(LocalLambda lambda, LambdaClient client) implements Lambda {
    @Override
    public String function() {
      return lambda.functionArn("HashFunction") + ":live";
    }

    @Override
    public int concurrency() {
      return CONCURRENCY;
    }

    @Override
    public Map<String, String> serviceConfig(String target) {
      return Map.of(
          "spillway.spill.targets." + target + ".endpoint",
          lambda.endpoint().toString(),
          "aws.accessKeyId",
          "test",
          "aws.secretAccessKey",
          "test");
    }

    @Override
    public void close() {
      client.close();
      lambda.close();
    }
  }
}
