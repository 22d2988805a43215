package dev.spillway.acceptance;

import java.nio.file.Path;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.LambdaClientBuilder;

/** A Lambda, wherever it is, with the function of template.yaml deployed to it. */
interface Lambda extends AutoCloseable {
  Path TEMPLATE = Running.HOME.resolve("template.yaml");

  /** What callers name: the ARN of the alias. */
  String function();

  /** How many calls it takes at the same moment. */
  int concurrency();

  /** AWS's own client of it; throttling is an exception at once, not a retry. */
  LambdaClient client();

  /** Where and as whom the auth-service calls it: what stands beside the target's function. */
  Map<String, String> serviceConfig(String target);

  @Override
  void close() throws Exception;

  static Path functionPackage() {
    return Path.of(System.getProperty("function.package")).toAbsolutePath().normalize();
  }

  /** Credentials that stand for nobody, for what does not ask whose they are. */
  static StaticCredentialsProvider nobody() {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"));
  }

  static LambdaClientBuilder clientBuilder() {
    return LambdaClient.builder()
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(config -> config.retryStrategy(DefaultRetryStrategy.doNotRetry()));
  }
}
