package dev.spillway.auth.warmup;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.LocalOnly;
import dev.spillway.auth.gate.OwnRequests;
import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is left of the warm-up once the service is ready. */
@QuarkusTest
@TestProfile(LocalOnly.class)
@Timeout(60)
class PathWarmUpTest {
  @Inject MeterRegistry meters;
  @Inject OwnRequests own;
  @Inject PathWarmUp path;
  @Inject @Any InjectableInstance<AgroalDataSource> database;

  @ConfigProperty(name = "quarkus.http.test-port")
  int port;

  @BeforeEach
  void awaitReady() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
  }

  @Test
  void itsRequestsAreAnswered_andLeaveNoTrace() throws Exception {
    double refused = sum("spillway.gate.refused");
    double logins = sum("spillway.login");
    long audited = rows("audit_log WHERE action = 'login'");
    long tallies = rows("login_tallies");

    assertThat(path.ask("127.0.0.1", port, false)).containsOnly(503, 400);

    assertThat(meters.find("http.server.requests").tag("uri", "/login").meters()).isEmpty();
    assertThat(sum("spillway.gate.refused")).isEqualTo(refused);
    assertThat(sum("spillway.login")).isEqualTo(logins);
    assertThat(rows("audit_log WHERE action = 'login'")).isEqualTo(audited);
    assertThat(rows("login_tallies")).isEqualTo(tallies);
  }

  /** Without a password it is a 400 like others, and is counted. */
  @Test
  void afterwards_nobodyIsTakenForTheServiceItself() {
    String old = own.begin().refused();
    own.end();
    Response answer =
        given()
            .header(OwnRequests.HEADER, old)
            .contentType(ContentType.JSON)
            .body("{\"login\":\"somebody\"}")
            .post("/login");
    assertThat(answer.statusCode()).isEqualTo(400);
  }

  private double sum(String counters) {
    return meters.find(counters).counters().stream().mapToDouble(Counter::count).sum();
  }

  private long rows(String table) throws SQLException {
    try (Connection connection = database.listActive().getFirst().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
