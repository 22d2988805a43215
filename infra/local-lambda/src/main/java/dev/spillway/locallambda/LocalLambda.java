package dev.spillway.locallambda;

import com.sun.net.httpserver.HttpServer;
import dev.spillway.locallambda.confine.Sandbox;
import dev.spillway.locallambda.environment.Deployment;
import dev.spillway.locallambda.environment.Forker;
import dev.spillway.locallambda.environment.Function;
import dev.spillway.locallambda.environment.FunctionReport;
import dev.spillway.locallambda.environment.Limits;
import dev.spillway.locallambda.environment.Loopback;
import dev.spillway.locallambda.fault.Fault;
import dev.spillway.locallambda.fault.Injection;
import dev.spillway.locallambda.template.Account;
import dev.spillway.locallambda.template.FunctionSettings;
import dev.spillway.locallambda.template.Secrets;
import dev.spillway.locallambda.template.Template;
import dev.spillway.locallambda.template.TemplateException;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * AWS Lambda on loopback: the functions of a SAM template behind Lambda's Invoke API, each
 * execution environment a process.
 */
public final class LocalLambda implements AutoCloseable {
  /** An account without a reservation has 1,000 environments; a new one, like this one, fewer. */
  private static final int UNRESERVED = 10;

  private final Account account;
  private final Map<String, Function> functions;
  private final Injection injection;
  private final HttpServer server;

  private LocalLambda(
      Account account, Map<String, Function> functions, Injection injection, HttpServer server) {
    this.account = account;
    this.functions = functions;
    this.injection = injection;
    this.server = server;
  }

  /**
   * Deploys the template's functions and opens the port. The first start with a new Java package
   * takes some seconds, in which its AOT cache is made.
   *
   * @throws IllegalArgumentException where this machine cannot have the fault
   * @throws TemplateException where the template cannot be served as it is
   * @throws IOException where a package cannot be unpacked, the port cannot be had, or a sandbox
   *     that there must be
   */
  public static LocalLambda start(LocalLambdaConfig config) throws IOException {
    Account account = Account.in(config.stack().region());
    var secrets = new Secrets(config.stack().secrets());
    var templates =
        Template.read(config.stack().template(), config.stack().parameters(), account).stream()
            .map(secrets::resolve)
            .toList();
    Forker.shortcoming().ifPresent(config.log());
    var deployment =
        new Deployment(
            account,
            config.machine().cache(),
            config.machine().aot(),
            Sandbox.find(config.machine().sandbox(), config.log()),
            config.log());
    var injection = new Injection(config.log());
    injection.set(config.fault());
    Map<String, Function> functions = new LinkedHashMap<>();
    try {
      // First the port: it is the cheaper thing to fail on.
      HttpServer server = Loopback.bind(config.port());
      try {
        for (FunctionSettings settings : templates) {
          var chosen = config.stack().functionPackage().map(settings::withCodeUri).orElse(settings);
          functions.put(settings.name(), deployment.deploy(chosen, limits(config, chosen)));
        }
        CallerCheck callers = callers(config, new SigningTime(injection::clock));
        server.createContext("/_local/", new LocalApi(functions, injection));
        server.createContext("/", new InvokeApi(functions, account, callers, injection));
        server.start();
        return new LocalLambda(account, functions, injection, server);
      } catch (IOException | RuntimeException e) {
        server.stop(0);
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      functions.values().forEach(Function::close);
      throw e;
    }
  }

  private static CallerCheck callers(LocalLambdaConfig config, CallerCheck time) {
    return config
        .signer()
        .<CallerCheck>map(keyPair -> new SignedCaller(keyPair, config.stack().region(), time))
        .orElse(time);
  }

  private static Limits limits(LocalLambdaConfig config, FunctionSettings settings) {
    int concurrency =
        config.stack().concurrency().orElse(settings.reservedConcurrency().orElse(UNRESERVED));
    return new Limits(
        config.stack().initLimit(),
        concurrency,
        config.machine().idleLife(),
        settings.reservedConcurrency().isPresent(),
        config.machine().settle());
  }

  /** What an AWS client takes as its endpoint. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port());
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String region() {
    return account.region();
  }

  public Set<String> functionNames() {
    return functions.keySet();
  }

  /** The unqualified ARN of one of the functions. */
  public String functionArn(String name) {
    return account.functionArn(function(name).settings().name());
  }

  /** What {@code GET /_local/functions/{name}} shows. */
  public FunctionReport report(String name) {
    return function(name).report();
  }

  private Function function(String name) {
    Function function = functions.get(name);
    if (function == null) {
      throw new IllegalArgumentException("no function " + name + " in " + functions.keySet());
    }
    return function;
  }

  /**
   * From now on every invocation meets this.
   *
   * @throws IllegalArgumentException where this machine cannot have it
   */
  public void inject(Fault fault) {
    injection.set(Optional.of(fault));
  }

  /** Ends {@link #inject}. Invocations that have met the fault already do not recover. */
  public void heal() {
    injection.set(Optional.empty());
  }

  /** Closes the port, kills every environment and waits until the last is gone. */
  @Override
  public void close() {
    injection.close();
    server.stop(0);
    functions.values().forEach(Function::close);
  }
}
