package dev.spillway.locallambda.environment;

import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The variables of an environment: those the Lambda developer guide lists ("Defined runtime
 * environment variables") and the function's own. Nothing of ours is inherited.
 */
final class EnvironmentVariables {
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy/MM/dd");

  private EnvironmentVariables() {}

  static Map<String, String> of(FunctionSettings function, Account account, Launch launch) {
    Map<String, String> variables = new TreeMap<>();
    variables.put("PATH", "/usr/local/bin:/usr/bin:/bin");
    variables.put("LANG", "en_US.UTF-8");
    variables.put("TZ", ":UTC");
    variables.putAll(function.environment());
    variables.put("_HANDLER", launch.handler());
    variables.put("AWS_REGION", account.region());
    variables.put("AWS_DEFAULT_REGION", account.region());
    variables.put("AWS_EXECUTION_ENV", launch.executionEnvironment());
    variables.put("AWS_LAMBDA_FUNCTION_NAME", function.name());
    variables.put("AWS_LAMBDA_FUNCTION_VERSION", function.version());
    variables.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", Integer.toString(function.memoryMegabytes()));
    variables.put("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
    variables.put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/" + function.name());
    variables.put("AWS_LAMBDA_LOG_STREAM_NAME", logStream(function));
    // An execution role's credentials. Good for nothing: no AWS service is reachable with them.
    variables.put("AWS_ACCESS_KEY_ID", "ASIALOCALLAMBDA00000");
    variables.put("AWS_SECRET_ACCESS_KEY", "local-lambda");
    variables.put("AWS_SESSION_TOKEN", "local-lambda");
    // /var/task in a sandbox; without one nothing is mounted, so it is where the package lies.
    variables.put("LAMBDA_TASK_ROOT", launch.taskRoot().toString());
    variables.put("LAMBDA_RUNTIME_DIR", launch.taskRoot().resolveSibling("runtime").toString());
    return variables;
  }

  private static String logStream(FunctionSettings function) {
    String id = UUID.randomUUID().toString().replace("-", "");
    return DAY.format(LocalDate.now(ZoneOffset.UTC)) + "/[" + function.version() + "]" + id;
  }
}
