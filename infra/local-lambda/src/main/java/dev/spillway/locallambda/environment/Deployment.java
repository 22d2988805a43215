package dev.spillway.locallambda.environment;

import dev.spillway.locallambda.code.CodePackage;
import dev.spillway.locallambda.confine.Sandbox;
import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import dev.spillway.locallambda.template.TemplateException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How functions get deployed: where their packages are unpacked, whether they get AOT caches, and
 * what confines their processes.
 */
public record Deployment(
    Account account, Path cache, boolean aot, Optional<Sandbox> sandbox, Consumer<String> log) {
  /** Unpacks the function's package and makes it ready to be invoked; starts no environment. */
  public Function deploy(FunctionSettings settings, Limits limits) throws IOException {
    Path source =
        settings
            .codeUri()
            .orElseThrow(
                () ->
                    new TemplateException(
                        settings.name() + "'s code is in S3: name it by --function-package"));
    CodePackage code = CodePackage.of(source, settings.handler(), cache);
    List<String> jvmOptions =
        aot ? new AotCache(code, settings, account, sandbox, log).options() : List.of();
    Launch launch =
        Launch.of(code, settings, jvmOptions).within(sandbox, code.directory(), Optional.empty());
    return new Function(settings, account, limits, launch, log);
  }
}
