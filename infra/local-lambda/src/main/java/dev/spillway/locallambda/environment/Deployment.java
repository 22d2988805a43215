package dev.spillway.locallambda.environment;

import dev.spillway.locallambda.code.CodePackage;
import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * How functions get deployed: where their packages are unpacked, and whether they get AOT caches.
 */
public record Deployment(Account account, Path cache, boolean aot, Consumer<String> log) {
  /** Unpacks the function's package and makes it ready to be invoked; starts no environment. */
  public Function deploy(FunctionSettings settings, Limits limits) throws IOException {
    CodePackage code = CodePackage.of(settings.codeUri(), settings.handler(), cache);
    List<String> jvmOptions =
        aot ? new AotCache(code, settings, account, log).options() : List.of();
    return new Function(settings, account, limits, Launch.of(code, settings, jvmOptions), log);
  }
}
