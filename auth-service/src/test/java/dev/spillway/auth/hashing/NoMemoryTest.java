package dev.spillway.auth.hashing;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.spillway.auth.LocalOnly;
import dev.spillway.hashing.HashAnswer;
import dev.spillway.hashing.Hashing;
import dev.spillway.hashing.deadline.Deadline;
import dev.spillway.hashing.pool.HashPool;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A hash that takes much memory, where there is none left. */
@QuarkusTest
@TestProfile(LocalOnly.class)
class NoMemoryTest {
  @Inject Hashing hashing;
  @Inject HashPool pool;

  @Test
  void hashWithoutMemory_isOverloadAndNoWrongPassword() {
    await().until(() -> given().get("/q/health/ready").statusCode() == 200);
    HashAnswer<Boolean> answer =
        hashing.verify(
            4,
            () -> {
              throw new OutOfMemoryError("none left");
            },
            Deadline.in(Duration.ofSeconds(20)));
    assertThat(answer).isInstanceOf(HashAnswer.Shed.class);
    await().until(() -> pool.free() == pool.size());
  }
}
