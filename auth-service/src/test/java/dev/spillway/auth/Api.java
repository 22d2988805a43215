package dev.spillway.auth;

import static io.restassured.RestAssured.given;

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
