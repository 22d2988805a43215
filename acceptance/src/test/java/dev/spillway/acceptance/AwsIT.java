package dev.spillway.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * The contract on AWS, with {@code AWS_E2E=1}: on the stack that {@code AWS_E2E_STACK} names
 * (spillway-hash), deployed as docs/deploy.md says, in the region and with the credentials of the
 * AWS CLI. Some hundreds of calls, a few thousandths of a dollar.
 */
class AwsIT extends LambdaContract {
  /** The stack must have been deployed with {@code Sealing=no}: the contract sends in clear. */
  @Override
  Lambda start() throws Exception {
    boolean wanted = "1".equals(System.getenv("AWS_E2E"));
    if (!wanted) {
      System.out.println("AwsIT skipped: it calls a function on AWS; AWS_E2E=1 runs it");
    }
    assumeTrue(wanted, "AWS_E2E is not 1");
    String stack = Optional.ofNullable(System.getenv("AWS_E2E_STACK")).orElse("spillway-hash");
    Properties config = configFromStack(stack);
    String function = only(config, ".function");
    int concurrency = Integer.parseInt(only(config, ".max-outstanding"));
    LambdaClient client =
        Lambda.clientBuilder().region(Region.of(function.split(":", 5)[3])).build();
    return new Aws(function, concurrency, client);
  }

  private static Properties configFromStack(String stack) throws IOException, InterruptedException {
    Process launcher =
        new ProcessBuilder(Running.HOME.resolve("spillway").toString(), "config-from-stack", stack)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(launcher.getInputStream().readAllBytes());
    if (launcher.waitFor() != 0) {
      throw new AssertionError("./spillway config-from-stack " + stack + " failed; see above");
    }
    Properties config = new Properties();
    config.load(new StringReader(printed));
    return config;
  }

  private static String only(Properties config, String suffix) {
    return config.stringPropertyNames().stream()
        .filter(key -> key.endsWith(suffix))
        .map(config::getProperty)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the stack's Configuration names no " + suffix));
  }

  private record Aws(String function, int concurrency, LambdaClient client) implements Lambda {
    @Override
    public Map<String, String> serviceConfig(String target) {
      return Map.of(); // AWS's own endpoint, and the credentials of the environment
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
