package dev.spillway.auth.database;

import dev.spillway.auth.FreePort;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real PostgreSQL behind pgbouncer in transaction mode, with two sessions for all. */
public final class Pooler implements QuarkusTestResourceLifecycleManager {
  private static final List<Path> PROGRAMS =
      List.of(Path.of("/usr/sbin/pgbouncer"), Path.of("/usr/bin/pgbouncer"));

  private EmbeddedPostgres postgres;
  private Path config;
  private Process process;

  static boolean isInstalled() {
    return PROGRAMS.stream().anyMatch(Files::isExecutable);
  }

  @Override
  public Map<String, String> start() {
    try {
      postgres = PostgresServer.start();
      int port = FreePort.next();
      config = Files.createTempFile("spillway-pgbouncer", ".ini");
      Files.writeString(
          config,
          """
          [databases]
          postgres = host=localhost port=%d user=postgres password=postgres
          [pgbouncer]
          listen_addr = 127.0.0.1
          listen_port = %d
          unix_socket_dir =
          auth_type = any
          pool_mode = transaction
          default_pool_size = 2
          max_client_conn = 100
          ignore_startup_parameters = extra_float_digits
          server_login_retry = 1
          """
              .formatted(postgres.getPort(), port));
      restart();
      return Map.of(
          "spillway.database.kind",
          "postgresql",
          "spillway.database.url",
          "jdbc:postgresql://127.0.0.1:%d/postgres?prepareThreshold=0".formatted(port),
          "spillway.database.username",
          "postgres",
          "spillway.database.password",
          "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(
        this, field -> field.getType().getName().equals(Pooler.class.getName()));
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
  }

  /** It does not run as root. */
  void restart() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(PROGRAMS.stream().filter(Files::isExecutable).findFirst().orElseThrow().toString());
    if (Files.getOwner(config).getName().equals("root")) {
      Files.setPosixFilePermissions(
          config, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(config.toString());
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
  }

  @Override
  public void stop() {
    try {
      process.destroyForcibly();
      postgres.close();
      Files.delete(config);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
