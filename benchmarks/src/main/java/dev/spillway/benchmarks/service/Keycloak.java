package dev.spillway.benchmarks.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Keycloak, as its distribution starts it: with the heap and the flags of its {@code bin/kc.sh},
 * in production mode, on one node and on a database in a file. The launcher has fetched, checked
 * and built it.
 */
final class Keycloak {
  static final String VERSION = "26.4.7";

  private static final Path HOME = Home.path("target", "keycloak", "keycloak-" + VERSION);

  private static final List<String> FLAGS =
      List.of(
          "-Xms64m",
          "-Xmx512m",
          "-XX:MetaspaceSize=96M",
          "-XX:MaxMetaspaceSize=256m",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:+UseG1GC",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.security=ALL-UNNAMED",
          "-Duser.language=en",
          "-Duser.country=US",
          "-Djava.util.concurrent.ForkJoinPool.common.threadFactory="
              + "io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory",
          "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
          "-Dpicocli.disable.closures=true");

  private Keycloak() {}

  /**
   * Started and ready, with both kinds of users imported.
   *
   * @param hashing how the measured users' passwords are hashed
   */
  static Service start(Site site, SpikeUsers users, KeycloakRealm.Hashing hashing)
      throws IOException, InterruptedException {
    if (!Files.exists(HOME)) {
      throw new IOException(HOME + " is missing; ./spillway spike --rival keycloak fetches it");
    }
    Path data = HOME.resolve("data");
    delete(data);
    Path imported = Files.createDirectories(data.resolve("import"));
    write(imported, new KeycloakRealm(KeycloakRealm.MEASURED, hashing, users.measured()));
    write(
        imported,
        new KeycloakRealm(KeycloakRealm.CHEAP, KeycloakRealm.Hashing.CHEAPEST, users.cheap()));
    int port = Site.freePort();
    int management = Site.freePort();
    List<String> args =
        Stream.of(
                FLAGS,
                List.of(
                    "-Dkc.home.dir=" + HOME,
                    "-Djboss.server.config.dir=" + HOME.resolve("conf"),
                    "-cp",
                    HOME.resolve("lib/quarkus-run.jar").toString(),
                    "io.quarkus.bootstrap.runner.QuarkusEntryPoint",
                    "start",
                    "--optimized",
                    "--http-enabled=true",
                    "--http-host=127.0.0.1",
                    "--http-port=" + port,
                    "--http-management-port=" + management,
                    "--hostname-strict=false",
                    "--cache=local",
                    "--import-realm"))
            .flatMap(List::stream)
            .toList();
    Service service =
        new Service(
            "keycloak",
            site.java("keycloak", false, false, Map.of(), args),
            port,
            KeycloakRealm.api(management));
    service.awaitReady(site);
    return service;
  }

  private static void write(Path directory, KeycloakRealm realm) throws IOException {
    Files.writeString(directory.resolve(realm.name() + "-realm.json"), realm.json());
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
