package dev.spillway.auth.database;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.ResultSet;
import java.sql.Statement;

@QuarkusTest
@TestProfile(PostgresSoakTest.OnPostgres.class)
@QuarkusTestResource(value = PostgresResource.class, restrictToAnnotatedClass = true)
class PostgresSoakTest extends SoakContract {
  /** Its own, for another start. */
  public static class OnPostgres extends Service {}

  @Override
  long size() {
    return database.run(
        connection -> {
          try (Statement ask = connection.createStatement();
              ResultSet row = ask.executeQuery("SELECT pg_database_size(current_database())")) {
            row.next();
            return row.getLong(1);
          }
        });
  }
}
