package dev.spillway.locallambda.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.spillway.locallambda.code.CodePackage;
import dev.spillway.locallambda.code.Entrypoint;
import dev.spillway.locallambda.code.Locks;
import dev.spillway.locallambda.confine.Sandbox;
import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A managed-Java package's AOT cache (JEP 483, 514): classes already loaded and linked, methods
 * already profiled. Made once per package by one training run and kept beside it; the figures are
 * in the README. A package that cannot be trained runs without.
 */
final class AotCache {
  private static final Duration TRAINING_LIMIT = Duration.ofSeconds(30);
  private static final String QUIET = "-Xlog:aot=off,cds=off";

  private final CodePackage code;
  private final FunctionSettings settings;
  private final Account account;
  private final Optional<Sandbox> sandbox;
  private final Consumer<String> log;

  AotCache(
      CodePackage code,
      FunctionSettings settings,
      Account account,
      Optional<Sandbox> sandbox,
      Consumer<String> log) {
    this.code = code;
    this.settings = settings;
    this.account = account;
    this.sandbox = sandbox;
    this.log = log;
  }

  /** The JVM options that use the cache, made now if need be; none where there is no cache. */
  List<String> options() {
    if (!(code.entrypoint() instanceof Entrypoint.ManagedJava)) {
      return List.of();
    }
    Path cache = code.directory().resolve("function-" + jvm() + ".aot");
    try (FileChannel channel =
            FileChannel.open(
                code.directory().resolve("aot.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = Locks.exclusive(channel)) {
      if (!Files.exists(cache)) {
        train(cache);
      }
      return List.of("-XX:AOTCache=" + cache, QUIET);
    } catch (IOException e) {
      log.accept("no AOT cache, cold starts will be slower: " + e.getMessage());
      return List.of();
    }
  }

  /**
   * A cache is good for one build of the JVM and one set of flags, some of which may be variables
   * of the function. Its other variables are no matter: among them are secrets, new at every start.
   */
  private String jvm() {
    String identity =
        System.getProperty("java.vm.version")
            + System.getProperty("java.home")
            + Launch.jvmFlags(settings.memoryMegabytes())
            + settings.environment().get("JAVA_TOOL_OPTIONS")
            + settings.environment().get("JDK_JAVA_OPTIONS");
    return UUID.nameUUIDFromBytes(identity.getBytes(UTF_8)).toString().substring(0, 8);
  }

  private void train(Path cache) throws IOException {
    long begun = System.nanoTime();
    log.accept("training " + settings.name() + "'s AOT cache, once for this package");
    // A directory of its own, the one place that a sandbox lets the training run write to.
    Path output = Files.createDirectories(cache.resolveSibling("training"));
    Path partial = output.resolve("function.aot.partial");
    Files.deleteIfExists(partial);
    Launch launch =
        Launch.of(code, settings, List.of("-XX:AOTCacheOutput=" + partial, QUIET))
            .within(sandbox, code.directory(), Optional.of(output));
    // What a training run prints is no function's log.
    Environment environment =
        Environment.start(settings.name() + "/training", settings, account, launch, _ -> {});
    try (environment) {
      if (!(environment.awaitInit(TRAINING_LIMIT) instanceof Init.Ready)) {
        throw new IOException("the training run did not start: " + lastOf(environment.logTail()));
      }
      // One event that means nothing: it takes the runtime through its first round, and a handler
      // as far as its check of the input.
      var event =
          new Event(
              UUID.randomUUID().toString(),
              "{}".getBytes(UTF_8),
              account.functionArn(settings.name()),
              "Root=1-00000000-000000000000000000000000;Parent=0000000000000000;Sampled=0",
              Optional.empty(),
              _ -> {});
      var invocation = Invocation.of(event, Instant.now().plus(TRAINING_LIMIT));
      environment.deliver(invocation);
      await(invocation.over());
      environment.terminate();
      await(environment.dead()); // the JVM writes the cache on its way out
      if (!Files.exists(partial)) {
        throw new IOException("the JVM wrote none: " + lastOf(environment.logTail()));
      }
    }
    Files.move(partial, cache);
    log.accept(
        "%s's AOT cache: %d MB in %d ms"
            .formatted(
                settings.name(),
                Files.size(cache) >> 20,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)));
  }

  private static void await(CompletableFuture<?> event) throws IOException {
    try {
      event.get(TRAINING_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException("the training run did not end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String lastOf(String tail) {
    String stripped = tail.strip();
    return stripped.substring(stripped.lastIndexOf('\n') + 1);
  }
}
