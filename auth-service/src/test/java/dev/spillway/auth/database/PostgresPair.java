package dev.spillway.auth.database;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Two real nodes of PostgreSQL: a primary, and its standby by streaming replication. */
public final class PostgresPair implements QuarkusTestResourceLifecycleManager {
  private static final int CONNECTIONS = 40;

  private Path directory;
  private boolean mounted;
  private Node first;
  private Node second;

  @Override
  public Map<String, String> start() {
    try {
      directory = Files.createTempDirectory("spillway-pair");
      Path disk = Files.createDirectory(directory.resolve("first"));
      // As root; others do without a full disk.
      mounted =
          Files.getOwner(directory).getName().equals("root")
              && run("mount", "-t", "tmpfs", "-o", "size=256m", "spillway", disk.toString()) == 0;
      first = Node.start(directory.resolve("first"));
      first.server.close();
      // A backup of a server that is down is a copy of its files.
      run(
          "cp",
          "-a",
          directory.resolve("first").toString(),
          directory.resolve("second").toString());
      first = Node.start(directory.resolve("first"));
      Path standby = directory.resolve("second");
      Files.createFile(standby.resolve("standby.signal"));
      Files.writeString(
          standby.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=localhost port=%d user=postgres'%n".formatted(first.port()),
          StandardOpenOption.APPEND);
      second = Node.start(standby);
      return Map.of(
          "spillway.database.kind",
          "postgresql",
          "spillway.database.url",
          "jdbc:postgresql://localhost:%d,localhost:%d/postgres?targetServerType=primary"
              .formatted(first.port(), second.port()),
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
        this, field -> field.getType().getName().equals(PostgresPair.class.getName()));
  }

  @Override
  public void stop() {
    for (Node node : new Node[] {second, first}) {
      if (node != null) {
        node.signal("CONT");
        try {
          node.server.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    if (mounted) {
      run("umount", directory.resolve("first").toString());
    }
    run("rm", "-rf", directory.toString());
  }

  /** Whether the first node's files are on a disk that can be filled. */
  boolean hasDiskOfItsOwn() {
    return mounted;
  }

  /** Fills it, with a file to be deleted again. */
  Path fillDisk() throws IOException {
    Path fill = directory.resolve("first").resolve("fill");
    byte[] block = new byte[8 * 1024];
    try (OutputStream out = Files.newOutputStream(fill)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      return fill;
    }
  }

  Node first() {
    return first;
  }

  Node second() {
    return second;
  }

  /** A server, with what an operator or a bad day does to it. */
  static final class Node {
    private final Path data;
    private EmbeddedPostgres server;

    private Node(Path data) {
      this.data = data;
    }

    static Node start(Path data) throws IOException {
      Node node = new Node(data);
      node.server = PostgresServer.start(builder -> configured(builder, data));
      return node;
    }

    private static EmbeddedPostgres.Builder configured(
        EmbeddedPostgres.Builder builder, Path data) {
      return builder
          .setDataDirectory(data)
          .setCleanDataDirectory(false)
          // What is committed survives a killed server, as everywhere but in tests.
          .setServerConfig("synchronous_commit", "on")
          .setServerConfig("max_connections", String.valueOf(CONNECTIONS));
    }

    int port() {
      return server.getPort();
    }

    Connection connect() throws SQLException {
      return DriverManager.getConnection(
          server.getJdbcUrl("postgres", "postgres") + "&connectTimeout=2&socketTimeout=30");
    }

    void sql(String... statements) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    String ask(String sql) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return row.getString(1);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    /** To the server and all its processes. */
    void signal(String name) {
      try {
        long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
        List<String> pids =
            ProcessHandle.of(pid).stream()
                .flatMap(server -> Stream.concat(Stream.of(server), server.descendants()))
                .map(process -> Long.toString(process.pid()))
                .toList();
        if (!pids.isEmpty()) {
          run(Stream.concat(Stream.of("kill", "-" + name), pids.stream()).toArray(String[]::new));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** On the same port, after it was killed. */
    void restart() throws IOException {
      int port = server.getPort();
      server.close(); // lets go of the directory; there is nothing else to stop
      server =
          configured(EmbeddedPostgres.builder(), data)
              .setPort(port)
              .setPGStartupWait(Duration.ofMinutes(1))
              .start();
    }
  }

  private static int run(String... command) {
    try {
      // Of several processes one may have ended by itself.
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
