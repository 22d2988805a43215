package dev.spillway.auth;

import static io.restassured.RestAssured.given;

import dev.spillway.auth.users.LoginName;
import dev.spillway.auth.users.UserDirectory;
import dev.spillway.auth.users.UserRecord;
import io.quarkus.arc.Arc;
import io.restassured.RestAssured;
import io.restassured.config.EncoderConfig;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.Map;

/** Requests that many tests make. */
public final class Api {
  private Api() {}

  public static Response login(String login, String password) {
    return given()
        .contentType("application/json")
        .body(Map.of("login", login, "password", password))
        .post("/login");
  }

  /** With the first admin's token. */
  public static RequestSpecification admin() {
    return as(LocalOnly.ADMIN, LocalOnly.ADMIN_PASSWORD);
  }

  /** Path of a user, who need not exist. Asks no service, and so costs no hash. */
  public static String user(String login) {
    UserDirectory users = Arc.container().instance(UserDirectory.class).get();
    return "/users/" + LoginName.parse(login).flatMap(users::find).map(UserRecord::id).orElse(0L);
  }

  public static RequestSpecification as(String login, String password) {
    return bare().header("Authorization", "Bearer " + login(login, password).path("access_token"));
  }

  /** Without a token, and without a charset after the media type. */
  public static RequestSpecification bare() {
    return given()
        .config(
            RestAssured.config()
                .encoderConfig(
                    EncoderConfig.encoderConfig()
                        .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                        .encodeContentTypeAs("application/xml", ContentType.TEXT)
                        .encodeContentTypeAs("application/x-ndjson", ContentType.BINARY)));
  }
}
