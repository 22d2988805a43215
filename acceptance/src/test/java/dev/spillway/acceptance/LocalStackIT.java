package dev.spillway.acceptance;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import dev.spillway.locallambda.template.Template;
import java.util.Map;
import java.util.Optional;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * The contract on LocalStack, where Docker has an image of it: the same package, deployed by
 * Lambda's own API with the settings that template.yaml gives it.
 */
class LocalStackIT extends LambdaContract {
  /** The last that runs without an account; later ones want LOCALSTACK_AUTH_TOKEN. */
  private static final String FREE = "localstack/localstack:4.14.0";

  private static final int CONCURRENCY = 2;

  @Override
  Lambda start() {
    String image = Optional.ofNullable(System.getenv("LOCALSTACK_IMAGE")).orElse(FREE);
    new DockerImage(image)
        .obstacle()
        .ifPresent(
            obstacle -> {
              System.out.println("LocalStackIT skipped: " + obstacle);
              abort(obstacle);
            });
    LocalStackContainer container =
        new LocalStackContainer(
                DockerImageName.parse(image).asCompatibleSubstituteFor("localstack/localstack"))
            .withEnv("SERVICES", "lambda,iam,sts,logs,s3")
            .waitingFor(Wait.forHttp("/_localstack/health").forPort(4566));
    Optional.ofNullable(System.getenv("LOCALSTACK_AUTH_TOKEN"))
        .ifPresent(token -> container.withEnv("LOCALSTACK_AUTH_TOKEN", token));
    container.start();
    try {
      LambdaClient client =
          Lambda.clientBuilder()
              .endpointOverride(container.getEndpoint())
              .region(Region.of(container.getRegion()))
              .credentialsProvider(
                  StaticCredentialsProvider.create(
                      AwsBasicCredentials.create(
                          container.getAccessKey(), container.getSecretKey())))
              .build();
      FunctionSettings settings =
          Template.read(Lambda.TEMPLATE, Map.of("Sealing", "no"), Account.in(container.getRegion()))
              .getFirst();
      String function = Deployment.of(settings, CONCURRENCY).to(client);
      return new InContainer(container, client, function);
    } catch (RuntimeException e) {
      container.stop();
      throw e;
    }
  }

  private record InContainer(LocalStackContainer container, LambdaClient client, String function)
      implements Lambda {
    @Override
    public int concurrency() {
      return CONCURRENCY;
    }

    @Override
    public Map<String, String> serviceConfig(String target) {
      return Map.of(
          "spillway.spill.targets." + target + ".endpoint",
          container.getEndpoint().toString(),
          "aws.accessKeyId",
          container.getAccessKey(),
          "aws.secretAccessKey",
          container.getSecretKey());
    }

    @Override
    public void close() {
      client.close();
      container.stop();
    }
  }
}
